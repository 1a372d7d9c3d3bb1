/**
 * Evaluates JSONata. Runs in the worker only: it replaces what the thread knows about time and chance, so
 * that `$now()`, `$millis()`, `$random()` and `$shuffle()` say the same in every attempt of a run.
 */

import jsonata from 'jsonata'
import { expressionResultBytesMax } from '../../model/limits.ts'
import { utf8Bytes } from '../../model/payload.ts'
import { createSeededRandom } from '../seeded-random.ts'
import type { EvaluationRequest, EvaluationResult } from './evaluation-message.ts'
import { expressionFault } from './expression-fault.ts'

/** Parsed expressions that are kept: more than a large workflow has. */
const parsedMax = 1_000
/** Nested calls. JSONata's own functions take several frames each; beyond this the thread's stack is near. */
const callDepthMax = 1_000
const sequenceMax = 1_000_000

export interface JsonataEvaluator {
  /** Evaluates one after another; never rejects. */
  readonly evaluate: (request: EvaluationRequest) => Promise<readonly EvaluationResult[]>
}

/** The evaluator of this thread; make one per thread. */
export function createJsonataEvaluator(): JsonataEvaluator {
  const parsed = new Map<string, jsonata.Expression>()
  const thread = freezeThread()
  const parse = (source: string): jsonata.Expression => {
    const known = parsed.get(source)
    if (known !== undefined) return known
    const [oldest] = parsed.keys()
    if (parsed.size >= parsedMax && oldest !== undefined) parsed.delete(oldest)
    const expression = jsonata(source, { stack: callDepthMax, sequence: sequenceMax })
    parsed.set(source, expression)
    return expression
  }
  const evaluateOne = async (source: string, request: EvaluationRequest): Promise<EvaluationResult> => {
    let expression: jsonata.Expression
    try {
      expression = parse(source)
    } catch (thrown) {
      return { kind: 'failed', reason: 'invalid', ...expressionFault(thrown) }
    }
    thread.set(request.now, `${request.seed}/${source}`)
    try {
      return resultOf(await expression.evaluate(request.scope))
    } catch (thrown) {
      return { kind: 'failed', reason: 'failed', ...expressionFault(thrown) }
    }
  }
  return {
    async evaluate(request) {
      const results: EvaluationResult[] = []
      // One at a time: they share the thread's frozen time.
      for (const source of request.sources) results.push(await evaluateOne(source, request))
      return results
    },
  }
}

function resultOf(value: unknown): EvaluationResult {
  // A match that isn't there has no JSON.
  const json: string | undefined = JSON.stringify(value, withoutFunctions)
  if (json === undefined) return { kind: 'nothing' }
  if (json.length * 3 > expressionResultBytesMax && utf8Bytes(json) > expressionResultBytesMax) {
    const message = `The value has more than ${expressionResultBytesMax} bytes.`
    return { kind: 'failed', reason: 'too-large', message, position: null }
  }
  return { kind: 'value', json }
}

/** JSONata's functions are objects that lead into its own machinery; as data they are nothing. */
function withoutFunctions(_key: string, value: unknown): unknown {
  const isFunction =
    typeof value === 'object' &&
    value !== null &&
    ('_jsonata_lambda' in value || '_jsonata_function' in value)
  return isFunction ? undefined : value
}

/** JSONata asks the globals of its thread; these answer what was set. */
function freezeThread() {
  let now = 0
  let random = createSeededRandom('')
  const RealDate = Date
  class FrozenDate extends RealDate {
    constructor(...parts: readonly unknown[]) {
      // The real constructor has too many forms to spell out; it gets what came.
      if (parts.length === 0) super(now)
      else super(...(parts as [number]))
    }
    static override now(): number {
      return now
    }
  }
  Object.defineProperty(globalThis, 'Date', { value: FrozenDate, configurable: true, writable: true })
  Object.defineProperty(Math, 'random', { value: () => random.next(), configurable: true, writable: true })
  return {
    set(instant: number, seed: string) {
      now = instant
      random = createSeededRandom(seed)
    },
  }
}
