/** Work that must not overlap: what one piece of it writes, the next one reads. */

export type InTurn = <Answer>(work: () => Promise<Answer>) => Promise<Answer>

/** Does what it is given one after the other, in the order of the calls; one that fails keeps nobody back. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const answer = last.then(work)
    last = answer.catch(() => undefined)
    return answer
  }
}
