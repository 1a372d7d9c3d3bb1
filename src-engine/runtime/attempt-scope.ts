/** What the expressions of an attempt see. */

import type { CompiledNode } from '../core/compile.ts'
import { composedOf } from '../core/gather.ts'
import type { NodeInput } from '../core/node-input.ts'
import { inlineInput } from '../core/node-input.ts'
import { resultBehind } from '../core/output/result-behind.ts'
import { recordOfThrown, SagasmithError } from '../model/errors.ts'
import type { InvocationId } from '../model/ids.ts'
import type { InvocationRecord } from '../model/invocation.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import type { Payload } from '../model/payload.ts'
import type { Instant } from '../model/time.ts'
import type { AttemptWork } from './attempt-work.ts'
import type { PayloadStore } from './payload-store.ts'
import { resolveSaid } from './saga/undo-call.ts'
import type { UndoWork } from './saga/undo-work.ts'
import { aroundValue, isInBody, storedItem } from './surroundings.ts'
import type { ExpressionScope, ParameterResolver, TaskHost } from './task-host.ts'

/** What of an attempt its expressions depend on. */
export type ScopeWork = Pick<AttemptWork, 'run' | 'input' | 'variables' | 'recordOf' | 'around'> & {
  readonly undo?: UndoWork | null
  readonly node?: Pick<CompiledNode, 'kind' | 'body'>
  readonly record: Pick<InvocationRecord, 'attempt' | 'wait'>
  readonly called?: AttemptWork['called']
}

interface ScopeMeans {
  readonly payloads: PayloadStore
  /** For what arrives at a compensation by its document's words, and for addresses of steps. */
  readonly host?: Partial<Pick<TaskHost, 'resolver' | 'callbacks'>>
}

/** What expressions of this step can see. */
export function scopeOf(means: ScopeMeans, work: ScopeWork): ExpressionScope {
  if (work.undo !== undefined && work.undo !== null)
    return new UndoScope(means, work, { undo: work.undo, resolver: means.host?.resolver ?? null })
  return isInBody(work) ? new BodyScope(means, work) : new StepScope(means, work)
}

/** What the step's own expressions see, and how it came out: what it gave, or why it failed. */
export function afterwards(
  scope: ExpressionScope,
  end: Pick<ExpressionScope, 'output' | 'error'>,
): ExpressionScope {
  const { vars, now, seed, around, original } = scope
  return {
    input: () => scope.input(),
    nodes: (ids) => scope.nodes(ids),
    run: () => scope.run(),
    ...(around === undefined ? {} : { around: (root) => around.call(scope, root) }),
    ...(original === undefined ? {} : { original: () => original.call(scope) }),
    ...{ vars, now, seed },
    ...end,
  }
}

/** A class, not an object of closures: there is one for every attempt, and few have an expression. */
class StepScope implements ExpressionScope {
  protected readonly payloads: PayloadStore
  protected readonly means: ScopeMeans
  protected readonly work: ScopeWork
  #input: JsonValue | undefined

  constructor(means: ScopeMeans, work: ScopeWork) {
    this.payloads = means.payloads
    this.means = means
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
    return runFacts(this.means, this.work)
  }
}

/** The same inside of a map or loop. */
class BodyScope extends StepScope {
  around(root: 'item' | 'loop'): Promise<JsonValue> {
    return aroundValue(this.payloads, { ...this.work, inputValue: () => this.input() }, root)
  }
}

/** What undoes a step sees that step. */
class UndoScope extends BodyScope {
  readonly #undo: UndoWork
  readonly #resolver: ParameterResolver | null

  constructor(
    means: ScopeMeans,
    work: ScopeWork,
    of: { readonly undo: UndoWork; readonly resolver: ParameterResolver | null },
  ) {
    super(means, work)
    this.#undo = of.undo
    this.#resolver = of.resolver
  }

  override async input(): Promise<JsonValue> {
    const { arriving } = this.#undo.said
    if (this.#undo.hasOtherInput) return super.input()
    if (arriving === null || this.#resolver === null) return this.original()
    // Its own words see the step, not themselves.
    const scope = new UndoScope(this.means, this.work, { undo: this.#undo, resolver: null })
    return (await resolveSaid(this.#resolver, arriving, scope))['input'] ?? null
  }

  original(): Promise<JsonObject> {
    return originalOf(this.payloads, this.#undo)
  }
}

/** What the step was: at hand for its expressions, and what arrives where the document says nothing else. */
async function originalOf(payloads: PayloadStore, undo: UndoWork): Promise<JsonObject> {
  const { step, arrived, uncertain } = undo
  // Also of a result that nobody else sees.
  const { input, output } = resultBehind(step)
  try {
    return {
      input: await inputValue(payloads, arrived),
      parameters: input === null ? null : await payloads.value(input),
      output: output === null ? null : await payloads.value(output),
      error: step.error === null ? null : { ...step.error },
      uncertain,
    }
  } catch (thrown) {
    const { code, message } = recordOfThrown(thrown)
    if (code !== 'blob_missing') throw thrown
    throw new SagasmithError('saga_unmarshal_failed', { message, details: { nodeId: step.nodeId } })
  }
}

/** Run inputs that were parsed already: every step of a run sees the same one. */
const runInputs = new WeakMap<Payload, JsonValue>()

function runFacts(means: ScopeMeans, work: ScopeWork): JsonObject | Promise<JsonObject> {
  const { called = null } = work
  const facts = plainFacts(means.payloads, work)
  return called === null ? facts : withCallbacks(means, called, facts)
}

/** With the addresses of the steps that wait for web calls, by the keys of their nodes. */
async function withCallbacks(
  { host }: ScopeMeans,
  called: ReadonlyMap<string, InvocationId>,
  facts: JsonObject | Promise<JsonObject>,
): Promise<JsonObject> {
  const urls = await Promise.all(
    [...called].map(async ([node, id]) => [node, (await host?.callbacks?.urlOf(id)) ?? null] as const),
  )
  return { ...(await facts), callbacks: Object.fromEntries(urls) }
}

function plainFacts(payloads: PayloadStore, work: ScopeWork): JsonObject | Promise<JsonObject> {
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
  const members: { readonly key: string; readonly value: JsonValue }[] = []
  for (const { nodeId: key, payload } of input.parts) {
    const value = payloads.value(payload)
    // Ten thousand branches may meet here, and mostly all of them are at hand.
    members.push({ key, value: value instanceof Promise ? await value : value })
  }
  return composedOf(members, input.as ?? 'object')
}
