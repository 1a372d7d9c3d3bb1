/** For programs that tests and campaigns start: none of them outlives its starter, however that ends. */

/** Ends this process once whoever started it is gone, which ends its standard input: that has to be a pipe. */
export function endWithStarter(): void {
  process.stdin.on('end', () => process.exit(1)).resume()
  // It keeps nobody who is done.
  process.stdin.unref()
}
