// Reads what the test runners wrote to folders of results (see runners.sh).
//   results.mjs flaky FOLDER      prints the tests that failed and passed at their second try, with the first failure
//   results.mjs table FOLDER…     prints how often each test failed, a folder for each run; its status is 1 if one did
//   results.mjs longest FOLDER    prints the 20 longest tests of each runner
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A test in one run.
 * @typedef {{ runner: string, name: string, failures: string[], passed: boolean, seconds: number }} Result
 * `failures` are the outputs of its failed tries, the first one first.
 */

const readJSON = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Reads the lines of `go test -json`. A parent test whose subtest failed is left out. @returns {Result[]} */
function readGo(file) {
  const tests = new Map();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    // The last line of an interrupted run may be cut.
    if (!line.startsWith('{') || !line.endsWith('}')) continue;
    const { Action, Package, Test, Output, Elapsed } = JSON.parse(line);
    const name = [Package, Test].filter(Boolean).join(' ');
    const test = tests.get(name) ?? { runner: 'go', name, output: '', failures: [], passed: false, seconds: 0 };
    tests.set(name, test);
    if (Action === 'output') test.output += Output;
    if (Action === 'fail') test.failures.push(test.output);
    if (Action === 'pass' || Action === 'fail') {
      test.passed = Action === 'pass';
      test.seconds = Math.max(test.seconds, Elapsed ?? 0);
      test.output = '';
    }
  }
  const failed = [...tests.values()].filter((test) => test.failures.length > 0);
  const contains = (parent, child) => child.startsWith(`${parent}/`) || (!parent.includes(' ') && child.startsWith(`${parent} `));
  return [...tests.values()].filter((test) => !failed.some((child) => child !== test && contains(test.name, child.name)));
}

/** @returns {Result[]} */
function readVitest(file) {
  return readJSON(file).testResults.flatMap((suite) => {
    const name = path.relative(process.cwd(), suite.name);
    if (suite.assertionResults.length === 0 && suite.status === 'failed') {
      return [{ runner: 'vitest', name, failures: [suite.message], passed: false, seconds: 0 }];
    }
    return suite.assertionResults.map((test) => ({
      runner: 'vitest',
      name: `${name} ${test.fullName}`,
      failures: test.failureMessages,
      passed: test.status !== 'failed',
      seconds: (test.duration ?? 0) / 1000,
    }));
  });
}

/** @returns {Result[]} */
function readPlaywright(file) {
  const report = readJSON(file);
  const results = [];
  const visit = (suite, titles) => {
    for (const spec of suite.specs ?? []) {
      for (const test of spec.tests) {
        results.push({
          runner: test.projectName,
          name: [...titles, spec.title].join(' › '),
          failures: test.results
            .filter((result) => result.status !== test.expectedStatus && result.status !== 'skipped')
            .map((result) => result.error?.message ?? result.status),
          passed: test.status !== 'unexpected',
          seconds: Math.max(0, ...test.results.map((result) => result.duration / 1000)),
        });
      }
    }
    for (const child of suite.suites ?? []) visit(child, [...titles, child.title]);
  };
  for (const suite of report.suites) visit(suite, [suite.title]);
  for (const error of report.errors ?? []) {
    results.push({ runner: 'playwright', name: 'the run', failures: [error.message], passed: false, seconds: 0 });
  }
  return results;
}

const readers = { 'go.json': readGo, 'vitest.json': readVitest, 'browsers.json': readPlaywright };

/** @returns {Result[]} */
function read(folder) {
  return Object.entries(readers).flatMap(([name, reader]) => {
    const file = path.join(folder, name);
    return existsSync(file) ? reader(file) : [];
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of a terminal's colours
const plain = (text) => text.replace(/\u001b\[[0-9;]*m/g, '');

/** The lines of a failure, without those that only name the runner's own code. */
const linesOf = (failure) =>
  plain(failure)
    .trim()
    .split('\n')
    .filter((line) => !line.includes('node_modules'));

function printFlaky(folder) {
  const flaky = read(folder).filter((test) => test.passed && test.failures.length > 0);
  console.log(`== Flaky: ${flaky.length === 0 ? 'none' : 'failed at first; a bug to mend in the next change'}`);
  for (const { runner, name, failures } of flaky) {
    console.log(`\n${runner}: ${name}`);
    const lines = linesOf(failures[0]);
    for (const line of lines.slice(0, 30)) console.log(`    ${line.slice(0, 300)}`);
    if (lines.length > 30) console.log(`    … ${lines.length - 30} more lines`);
  }
}

function printTable(folders) {
  const failures = new Map();
  let tests = 0;
  for (const folder of folders) {
    for (const { runner, name, failures: failed } of read(folder)) {
      tests++;
      if (failed.length > 0) failures.set(`${runner}: ${name}`, [...(failures.get(`${runner}: ${name}`) ?? []), failed[0]]);
    }
  }
  console.log(`${tests} results in ${folders.length} runs; tests that failed: ${failures.size}`);
  for (const [name, texts] of [...failures].sort((a, b) => b[1].length - a[1].length)) {
    console.log(`${String(texts.length).padStart(3)} × ${name}`);
    for (const line of linesOf(texts[0]).slice(0, 6)) console.log(`      ${line.slice(0, 200)}`);
  }
  if (tests === 0 || failures.size > 0) process.exitCode = 1;
}

function printLongest(folder) {
  for (const [runner, tests] of Map.groupBy(read(folder), (test) => test.runner)) {
    console.log(`\n${runner}: ${tests.length} tests`);
    const longest = tests.filter((test) => runner !== 'go' || test.name.includes(' ')).sort((a, b) => b.seconds - a.seconds);
    for (const test of longest.slice(0, 20)) console.log(`${test.seconds.toFixed(1).padStart(7)} s  ${test.name}`);
  }
}

const [command, ...folders] = process.argv.slice(2);
if (command === 'flaky') printFlaky(folders[0]);
else if (command === 'table') printTable(folders);
else if (command === 'longest') printLongest(folders[0]);
else throw new Error('usage: results.mjs flaky | table | longest FOLDER…');
