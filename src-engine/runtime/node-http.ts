/**
 * Node's modules for the web, for whatever is there from the start but may never be used: each is loaded when it is asked
 * for. An import statement would read all that `node:http` can give at once, a client of its own for `fetch` included,
 * which takes as long as a fifth of a start.
 */

/** Servers and requests without TLS. */
export const nodeHttp = () => process.getBuiltinModule('node:http')

/** The same with TLS. */
export const nodeHttps = () => process.getBuiltinModule('node:https')

/** TLS itself. */
export const nodeTls = () => process.getBuiltinModule('node:tls')
