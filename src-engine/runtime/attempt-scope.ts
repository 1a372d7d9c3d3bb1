/** What the expressions of an attempt see. */

import type { CompiledNode } from '../core/compile.ts'
import type { NodeInput } from '../core/node-input.ts'
import { inlineInput } from '../core/node-input.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { Payload } from '../model/payload.ts'
import type { Instant } from '../model/time.ts'
import type { AttemptWork } from './attempt-work.ts'
import type { PayloadStore } from './payload-store.ts'
import { aroundValue, isInBody, storedItem } from './surroundings.ts'
import type { ExpressionScope } from './task-host.ts'

/** What of an attempt its expressions depend on. */
export type ScopeWork = Pick<AttemptWork, 'run' | 'input' | 'variables' | 'recordOf' | 'around'> & {
  readonly node?: Pick<CompiledNode, 'kind' | 'body'>
  readonly record: Pick<InvocationRecord, 'attempt' | 'wait'>
}

/** What expressions of this step can see. */
export function scopeOf({ payloads }: { readonly payloads: PayloadStore }, work: ScopeWork): ExpressionScope {
  return isInBody(work) ? new BodyScope(payloads, work) : new StepScope(payloads, work)
}

/** A class, not an object of closures: there is one for every attempt, and few have an expression. */
class StepScope implements ExpressionScope {
  protected readonly payloads: PayloadStore
  protected readonly work: ScopeWork
  #input: JsonValue | undefined

  constructor(payloads: PayloadStore, work: ScopeWork) {
    this.payloads = payloads
    this.work = work
  }

  get vars(): JsonObject {
    return this.work.variables
  }

  get now(): Instant {
    return this.work.run.now
  }

  get seed(): string {
    return this.work.run.seed
  }

  input(): JsonValue | Promise<JsonValue> {
    if (this.#input !== undefined) return this.#input
    const value = inputValue(this.payloads, this.work.input)
    if (!(value instanceof Promise)) this.#input = value
    return value
  }

  async nodes(ids: readonly string[]): Promise<JsonObject> {
    const outputs: Record<string, JsonValue> = {}
    for (const id of ids) {
      const output = this.work.recordOf(id)?.output
      if (output !== null && output !== undefined) outputs[id] = { output: await this.payloads.value(output) }
    }
    return outputs
  }

  run(): JsonObject | Promise<JsonObject> {
    return runFacts(this.payloads, this.work)
  }
}

/** The same inside of a map or loop. */
class BodyScope extends StepScope {
  around(root: 'item' | 'loop'): Promise<JsonValue> {
    return aroundValue(this.payloads, { ...this.work, inputValue: () => this.input() }, root)
  }
}

/** Run inputs that were parsed already: every step of a run sees the same one. */
const runInputs = new WeakMap<Payload, JsonValue>()

function runFacts(payloads: PayloadStore, work: ScopeWork): JsonObject | Promise<JsonObject> {
  const { run } = work
  const known = runInputs.get(run.input)
  if (known !== undefined) return factsOf(work, known)
  const withInput = (input: JsonValue): JsonObject => {
    runInputs.set(run.input, input)
    return factsOf(work, input)
  }
  const input = payloads.value(run.input)
  return input instanceof Promise ? input.then(withInput) : withInput(input)
}

const factsOf = ({ run, record }: ScopeWork, input: JsonValue): JsonObject => {
  return { id: run.id, generation: run.generation, now: run.now, attempt: record.attempt, input }
}

/** What arrived at the step. */
export function inputValue(payloads: PayloadStore, input: NodeInput): JsonValue | Promise<JsonValue> {
  const inline = inlineInput(input)
  if (inline !== null) return payloads.value(inline)
  if (input.kind === 'item') return storedItem(payloads, input.items, input.index)
  return input.kind === 'several' ? composed(payloads, input) : payloads.value(input.payload)
}

async function composed(
  payloads: PayloadStore,
  input: Extract<NodeInput, { readonly kind: 'several' }>,
): Promise<JsonValue> {
  const members: Record<string, JsonValue> = {}
  for (const { nodeId: id, payload } of input.parts) {
    const value = payloads.value(payload)
    // Ten thousand branches may meet here, and mostly all of them are at hand.
    members[id] = value instanceof Promise ? await value : value
  }
  return members
}
