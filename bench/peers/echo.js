// SPDX-License-Identifier: Apache-2.0
// Echoes: node echo.js PORT|PATH
'use strict';
const net = require('net');

const at = process.argv[2];
const where = at.includes('/') ? { path: at } : { port: Number(at), host: '127.0.0.1' };
net
  .createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      if (!socket.write(bytes)) socket.pause();
    });
    socket.on('drain', () => socket.resume());
  })
  .listen({ ...where, backlog: 4096 });
