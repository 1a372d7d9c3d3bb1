/** Prints a start failure the way a person needs it, and ends the process. */
export function fail(message) {
  process.stderr.write(`electron double: ${message}\n`)
  process.exit(1)
}
