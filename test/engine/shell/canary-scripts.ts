/** Steps and programs that tell the secret that they are given, in every way they can. */

import type { JsonObject } from '../../../src-engine/model/json.ts'

/** Prints what it is given: raw, in other forms, without line breaks, in pieces, and as its last words. */
export const printing = [
  'const v = process.env.MY_TOKEN; const b = Buffer.from(v)',
  'console.log(v); console.error("error: " + v); console.log(b.toString("hex"), b.toString("base64"))',
  'console.log(encodeURIComponent(v), JSON.stringify({ v }), JSON.stringify(JSON.stringify({ v })))',
  'for (const c of v) process.stdout.write(c)',
].join(';')

/** A script that cuts would go through: `x` has that many characters. */
export const cutting = (count: number): string =>
  `const v = process.env.MY_TOKEN; const x = "x".repeat(${count})`

/** JavaScript that says what it was handed, in all the ways in which it can, and then ends. */
export const javaScriptStep = (secret: string, end: string): JsonObject => ({
  kind: 'javascript',
  parameters: {
    secrets: { MINE: secret },
    code: `const v = ctx.secrets.MINE
      ctx.log(v, { v }); console.error('x'.repeat(3_995) + v); ${end}`,
  },
})

/** A question that nobody decides: it becomes urgent and ends by its time, and both of its mails find no server. */
export const askedByMail = (user: string, password: string): JsonObject => ({
  kind: 'approval',
  parameters: {
    ...{ title: 'x', onExpiry: 'fail', amount: 0.02, unit: 'minutes' },
    ...{ escalates: true, escalateAmount: 0.005, escalateUnit: 'minutes' },
    ...{ mails: true, mailTo: 'b@example.com', mailFrom: 'a@example.com' },
    ...{ host: '127.0.0.1', port: 9, security: 'none', user, password },
  },
})
