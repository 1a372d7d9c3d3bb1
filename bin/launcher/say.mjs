/**
 * What the launcher tells a person. Always on stderr: stdout belongs to the command, so that
 * `npm run -s sagasmith -- … --json` stays machine-readable on a fresh clone too.
 */

/** @param {string} line one sentence about what is being done */
export function say(line) {
  process.stderr.write(`sagasmith: ${line}\n`)
}

/** A refusal meant for people: printed without a stack trace. */
export class LauncherError extends Error {
  /**
   * @param {string} message what happened
   * @param {string} hint what to do next
   */
  constructor(message, hint) {
    super(message)
    this.hint = hint
  }
}

/**
 * The beginning and the end of a long text: tools name the cause first or last, never in the middle.
 * @param {string} text
 * @param {number} lines how many lines to keep in all
 */
export function shorten(text, lines) {
  const all = text.trimEnd().split('\n')
  if (all.length <= lines) return all.join('\n')
  const half = Math.ceil(lines / 2)
  return [...all.slice(0, half), '…', ...all.slice(half - lines)].join('\n')
}

/** @param {number} ms a span */
export function formatMs(ms) {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}
