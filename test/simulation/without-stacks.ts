/** Stories throw by the thousand, and nobody reads from where: to note that is a tenth of the processor's time. */

/** Errors that are made until it has come to its end have no stacks. */
export async function withoutStacks<Told>(tell: () => Promise<Told>): Promise<Told> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return await tell()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
