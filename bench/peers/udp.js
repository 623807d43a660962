// SPDX-License-Identifier: Apache-2.0
// Echoes datagrams: node udp.js PORT
'use strict';
const socket = require('dgram').createSocket('udp4');
socket.on('message', (bytes, from) => socket.send(bytes, from.port, from.address));
socket.bind(Number(process.argv[2]), '127.0.0.1');
