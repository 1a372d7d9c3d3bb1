/** Reads records with their tokens. */

import type { InvocationId, RunId } from '../../model/ids.ts'
import { runIdOf } from '../../model/ids.ts'
import { readInvocation, readRun } from './body-codec.ts'
import { keyNames, runFields } from './layout.ts'
import type { PartitionState, Seen } from './partition-state.ts'
import { nothing } from './partition-state.ts'
import type { Router } from './router.ts'

/** Records of one partition to look at. */
export interface Wanted {
  readonly runs: ReadonlySet<RunId>
  readonly invocations: ReadonlySet<InvocationId>
  readonly registers: ReadonlySet<string>
}

/** Whether there is anything to look at. */
export const isAnyWanted = ({ runs, invocations, registers }: Wanted): boolean =>
  runs.size + invocations.size + registers.size > 0

/** Reads what is wanted into what the state has seen; one round trip. */
export async function look(router: Router, state: PartitionState, wanted: Wanted): Promise<void> {
  if (!isAnyWanted(wanted)) return
  const byRun = new Map<RunId, InvocationId[]>()
  for (const id of wanted.runs) byRun.set(id, [])
  for (const id of wanted.invocations) {
    const run = runIdOf(id)
    const ids = byRun.get(run)
    if (ids === undefined) byRun.set(run, [id])
    else ids.push(id)
  }
  await Promise.all([
    ...[...byRun].map(([run, ids]) => lookAtRun(router, state, { run, ids, whole: wanted.runs.has(run) })),
    lookAtRegisters(router, state, [...wanted.registers]),
  ])
}

async function lookAtRun(
  router: Router,
  state: PartitionState,
  {
    run,
    ids,
    whole,
  }: { readonly run: RunId; readonly ids: readonly InvocationId[]; readonly whole: boolean },
): Promise<void> {
  const { keys } = state
  const fields: string[] = whole ? [runFields.body, runFields.token] : []
  for (const id of ids) fields.push(runFields.invocation(id), runFields.invocationToken(id))
  if (fields.length === 0) return
  const answer = await router.ask(keys.slot, ['HMGET', keys.run(run), ...fields])
  const values = answer as readonly (string | null)[]
  if (whole)
    state.runs.put(
      run,
      seenOf(values, 0, (text, token) => readRun(run, { text, token })),
    )
  for (const [index, id] of ids.entries()) {
    state.invocations.put(
      id,
      seenOf(values, (whole ? 2 : 0) + index * 2, (text) => readInvocation(id, text)),
    )
  }
}

function seenOf<Item>(
  values: readonly (string | null)[],
  place: number,
  parse: (text: string, token: string) => Item,
): Seen<Item> {
  const body = values[place] ?? null
  const token = values[place + 1] ?? null
  return body === null || token === null ? nothing : { token, item: parse(body, token) }
}

async function lookAtRegisters(
  router: Router,
  state: PartitionState,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return
  const { keys, registers } = state
  const answer = await router.ask(keys.slot, ['HMGET', keys.of(keyNames.registerTokens), ...names])
  for (const [index, token] of (answer as readonly (string | null)[]).entries()) {
    const name = names[index]
    if (name !== undefined) registers.put(name, token === null ? nothing : { token, item: token })
  }
}
