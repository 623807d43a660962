// SPDX-License-Identifier: Apache-2.0
// Node's own HTTP server: node http.js PORT
const http = require('node:http');

http
  .createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 13 });
    response.end('Hello, World!');
  })
  .listen({ port: Number(process.argv[2]), host: '127.0.0.1', backlog: 4096 });
