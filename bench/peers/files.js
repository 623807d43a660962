// SPDX-License-Identifier: Apache-2.0
// What files cost on Node, one request at a time: node files.js SIZE CASE DIRECTORY
'use strict';
const fs = require('fs');
const path = require('path');
const { promisify } = require('util');

const size = Number(process.argv[2]);
const place = process.argv[4];
const file = path.join(place, 'file');
const bytes = Buffer.alloc(size);
const [readFile, writeFile, stat, readdir, mkdir, copyFile] = [
  fs.readFile, fs.writeFile, fs.stat, fs.readdir, fs.mkdir, fs.copyFile,
].map((call) => promisify(call));
const times = size > 100000 ? 2000 : 20000;
const warmUpMicros = 4e6;

function fill(directory, files, length) {
  for (let i = 0; i < files; i++) fs.writeFileSync(path.join(directory, 'entry-' + i), Buffer.alloc(length));
}

async function copyTree(from, to) {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) await copyTree(source, target);
    else await copyFile(source, target);
  }
}

// Warm, as Stopwatch.measureWarm has it.
async function measure(measured, action) {
  const first = process.cpuUsage();
  for (let used = { user: 0, system: 0 }; used.user + used.system < warmUpMicros; used = process.cpuUsage(first)) await action();
  const cpu = process.cpuUsage();
  const begun = process.hrtime.bigint();
  for (let i = 0; i < measured; i++) await action();
  const time = Number(process.hrtime.bigint() - begun);
  const used = process.cpuUsage(cpu);
  console.log('time ' + time / measured);
  console.log('cpu ' + ((used.user + used.system) * 1000) / measured);
}

async function main() {
  switch (process.argv[3]) {
    case 'read':
      fs.writeFileSync(file, bytes);
      return measure(times, () => readFile(file));
    case 'write':
      return measure(times, () => writeFile(file, bytes));
    case 'stat':
      fs.writeFileSync(file, bytes);
      return measure(20000, () => stat(file));
    case 'list':
      fill(place, size, 0);
      return measure(1000000 / size, () => readdir(place, { withFileTypes: true }));
    case 'copy': {
      const tree = path.join(place, 'tree');
      const copy = path.join(place, 'copy');
      fs.mkdirSync(tree);
      for (let i = 0; i < size / 10; i++) {
        const directory = path.join(tree, 'directory-' + i);
        fs.mkdirSync(directory);
        fill(directory, 10, 4096);
      }
      return measure(10000 / size, async () => {
        await copyTree(tree, copy);
        await promisify(fs.rm)(copy, { recursive: true });
      });
    }
  }
}

main();
