/**
 * What can't be read of the expressions in the open document. Their language isn't part of the page: the engine is asked
 * about each text once, and until it has answered none is said to be wrong.
 */

import { checkedExpressionsMax } from '../../src-engine/model/limits.ts'
import type { ExpressionFault } from '../../src-engine/model/validation.ts'
import type { Designer } from './designer.ts'

export interface ExpressionFaults {
  /** What is known to be wrong with it; one that nobody asked about yet is asked about next. */
  readonly check: (expression: string) => ExpressionFault | null
  /** Asks about what `check` was given and isn't known; gives whether something turned out to be wrong. */
  readonly ask: () => Promise<boolean>
}

/** Texts that are remembered: whoever writes makes a new one with every pause. */
const knownMax = 20_000
/** Characters in one question, so that a line isn't held up by it. */
const questionCharsMax = 200_000

export function createExpressionFaults({ connection }: Pick<Designer, 'connection'>): ExpressionFaults {
  const known = new Map<string, ExpressionFault | null>()
  const wanted = new Set<string>()
  return {
    check: (expression) => {
      const fault = known.get(expression)
      if (fault === undefined) wanted.add(expression)
      return fault ?? null
    },
    ask: async () => {
      const all = [...wanted]
      wanted.clear()
      let isNews = false
      for (const expressions of questionsOf(all)) {
        const { faults } = await connection.call('expressions.check', { expressions })
        if (known.size + expressions.length > knownMax) known.clear()
        for (const [index, expression] of expressions.entries()) known.set(expression, faults[index] ?? null)
        isNews ||= faults.some((fault) => fault !== null)
      }
      return isNews
    },
  }
}

function questionsOf(expressions: readonly string[]): readonly (readonly string[])[] {
  const questions: string[][] = []
  let chars = Number.POSITIVE_INFINITY
  for (const expression of expressions) {
    const last = questions.at(-1)
    if (
      last === undefined ||
      last.length === checkedExpressionsMax ||
      chars + expression.length > questionCharsMax
    ) {
      questions.push([expression])
      chars = expression.length
    } else {
      last.push(expression)
      chars += expression.length
    }
  }
  return questions
}
