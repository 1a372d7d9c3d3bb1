/**
 * The second code in a sandbox that runs a task file, in the guest's own language: what a task is handed, and what is
 * read off it. Like the prelude it keeps the originals of what it needs.
 */

/** What a task file may import: a name for its types, and the function that gives its argument back. */
export const guestModule = `
export const defineTask = (task) => task;
`

export const guestHarness = `
(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const { keys, freeze } = Object;
  const isArray = Array.isArray;
  const send = globalThis.__http;
  delete globalThis.__http;
  const waiting = [];

  const http = (request) => new Promise((resolve, reject) => {
    const text = stringify(typeof request === 'string' ? { url: request } : request);
    if (text === undefined) throw new TypeError('http() takes an address, or an object with one.');
    waiting.push({ resolve, reject });
    send(waiting.length - 1, text);
  });
  const settle = (id, isDone, text) => {
    const { resolve, reject } = waiting[id];
    if (isDone) resolve(parse(text));
    else {
      const { name, message } = parse(text);
      const error = new Error(message);
      error.name = name;
      reject(error);
    }
  };

  const contextOf = (given) => freeze({
    ...given,
    http,
    log: (...values) => console.log(...values),
  });

  const isObject = (value) => typeof value === 'object' && value !== null && !isArray(value);
  const checked = (task) => {
    if (isObject(task)) return task;
    throw new TypeError('Its default export is no task. Write: export default defineTask({ … })');
  };

  const read = async (task, given) => {
    const spec = {};
    const functions = [];
    for (const key of keys(checked(task))) {
      const value = task[key];
      if (typeof value !== 'function') spec[key] = value;
      else functions.push(key);
    }
    if (functions.includes('mock')) spec.mock = await task.mock(contextOf(given));
    return { spec, functions };
  };

  const call = async (task, role, given) => {
    const own = checked(task)[role];
    if (typeof own !== 'function') throw new TypeError('The task has no function ' + role + '(context).');
    return await own.call(task, contextOf(given));
  };

  return {
    settle,
    work: (task, role) => (given) => (role === 'read' ? read(task, given) : call(task, role, given)),
  };
})()
`
