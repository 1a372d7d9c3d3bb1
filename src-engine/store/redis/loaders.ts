/** How each kind of record is loaded. */

import type { DeadLetter } from '../../model/checkpoint.ts'
import type { RunId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { RunStatus } from '../../model/run-status.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import type { WorkflowVersion } from '../../model/workflow-version.ts'
import type { LoadQueries } from '../store.ts'
import { pairsOf, placed } from './hash-answer.ts'
import { keyNames, runGroup } from './layout.ts'
import type { PartitionReader } from './partition-reader.ts'

type Loaders = {
  readonly [Kind in keyof LoadQueries]: (
    reader: PartitionReader,
    input: LoadQueries[Kind]['input'],
  ) => Promise<LoadQueries[Kind]['output']>
}

export const loaders: Loaders = {
  run: (reader, { runId }) => reader.run(runId),
  async runByRequest(reader, { requestId }) {
    const id = await reader.text(['HGET', reader.keys.of(keyNames.requests), requestId])
    // Written as a run's id.
    return id === null ? null : reader.run(id as RunId)
  },
  async runCounts(reader, { workflowId, includeCore }) {
    const counts = new Map<RunStatus, number>()
    for (const [field, count] of pairsOf(await reader.ask(['HGETALL', reader.keys.of(keyNames.runCounts)]))) {
      const end = field.indexOf(' ')
      const of = field.slice(end + 1)
      if ((workflowId !== null && of !== workflowId) || (!includeCore && runGroup(of) === 'core')) continue
      // Written with a run's status in front.
      const status = field.slice(0, end) as RunStatus
      counts.set(status, (counts.get(status) ?? 0) + Number(count))
    }
    return counts
  },
  invocations: async (reader, { runId }) => (await reader.wholeRun(runId)).invocations,
  invocation: (reader, { invocationId }) => reader.invocation(invocationId),
  async attempts(reader, { runId, invocationId }) {
    const { attempts } = await reader.wholeRun(runId)
    return invocationId === null ? attempts : attempts.filter((item) => item.invocationId === invocationId)
  },
  async workflowVersion(reader, { hash }) {
    const text = await reader.text(['HGET', reader.keys.of(keyNames.versions), hash])
    return text === null ? null : (JSON.parse(text) as WorkflowVersion)
  },
  async register(reader, { key }) {
    const text = await reader.text(['HGET', reader.keys.of(keyNames.registers), key])
    return text === null ? null : registerOf(key, text)
  },
  async dueRegisters(reader, { upTo, limit }) {
    // One more than asked for: it tells when to look again.
    const range = [0, limit]
    const found = await reader.scored(reader.keys.of(keyNames.registerDue), range)
    const come = found.slice(0, limit).filter(({ score }) => score <= upTo)
    const nextAt = found[come.length]?.score ?? null
    if (come.length === 0) return { due: [], nextAt }
    const names = come.map(({ member }) => member)
    const values = await reader.texts(['HMGET', reader.keys.of(keyNames.registers), ...names])
    const due = come.flatMap(({ member, score }, index) => {
      const text = values[index] ?? null
      return text === null ? [] : [{ ...registerOf(member, text), dueAt: score }]
    })
    return { due, nextAt }
  },
  slotHolders: (reader, { key, holder }) => reader.slotHolders(key, holder),
  async permitWaiters(reader, { key, limit }) {
    if (limit <= 0) return { invocations: [], runs: [] }
    // Mostly nobody stands in either line, which one command tells.
    const kinds = ['i', 'r'] as const
    const names = kinds.map((kind) => kind + key)
    const lines = await reader.texts(['ZMSCORE', reader.keys.of(keyNames.lines), ...names])
    const head = async (kind: (typeof kinds)[number], index: number): Promise<readonly string[]> => {
      if ((lines[index] ?? null) === null) return []
      const line = reader.keys.of(keyNames.line(kind, key))
      return (await reader.texts(['ZRANGE', line, 0, limit - 1])).filter((id) => id !== null)
    }
    const [invocationIds = [], runIds = []] = await Promise.all(kinds.map(head))
    const [invocations, runs] = await Promise.all([
      reader.invocations(invocationIds as Parameters<PartitionReader['invocations']>[0]),
      reader.runs(runIds as Parameters<PartitionReader['runs']>[0]),
    ])
    return { invocations, runs }
  },
  async workCounts(reader, { what }) {
    const counts = pairsOf(await reader.ask(['HGETALL', reader.keys.of(keyNames.workCounts)]))
    return counts
      .map(([field, count]) => {
        const [owner, pools] = JSON.parse(field) as readonly [RunnerRecord['id'] | null, readonly string[]]
        return { owner, pools, count: Number(count) }
      })
      .filter(({ owner }) => (owner !== null) === (what === 'owned'))
  },
  async deadLetter(reader, { id }) {
    const text = await reader.text(['HGET', reader.keys.of(keyNames.letters), id])
    return text === null ? null : placed<DeadLetter>(text).item
  },
  async runner(reader, { runnerId }) {
    const text = await reader.text(['HGET', reader.keys.of(keyNames.runners), runnerId])
    return text === null ? null : placed<RunnerRecord>(text).item
  },
  async feedEnd(reader) {
    const [epoch, seq] = await reader.texts(['HMGET', reader.keys.of('head'), 'epoch', 'seq'])
    return { partition: reader.keys.partition, epoch: Number(epoch), seq: Number(seq) }
  },
}

/** Reads `version value`. */
export function registerOf(key: string, text: string) {
  const end = text.indexOf(' ')
  const value = JSON.parse(text.slice(end + 1)) as JsonValue
  return { key, value, version: Number(text.slice(0, end)) }
}
