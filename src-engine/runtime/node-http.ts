/**
 * Node's HTTP, for whatever is there from the start. An import statement would read all that `node:http` can give
 * at once, a client of its own for `fetch` included,
 * which takes as long as a fifth of a start.
 */
export const { createServer, request } = process.getBuiltinModule('node:http')
