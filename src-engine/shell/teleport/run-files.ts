/** Runs as files: written from any store that this machine can read, taken in as copies are. */

import { hostname } from 'node:os'
import { SagasmithError } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import type { PulledRun } from '../../model/pulled-run.ts'
import type { OpenRunAnswer } from '../../protocol/teleport.ts'
import { partitionOfRun } from '../../runtime/run-place.ts'
import { pullFamily } from '../../runtime/teleport/pull-family.ts'
import type { PullParts } from '../../runtime/teleport/pull-run.ts'
import { pullRun } from '../../runtime/teleport/pull-run.ts'
import type { PulledFile } from '../../store/pulled/pulled-file.ts'
import { openPulledFile } from '../../store/pulled/pulled-file.ts'
import { createPulledStore } from '../../store/pulled/pulled-store.ts'
import { readRunFile, writeRunFile } from '../../store/pulled/run-file.ts'
import type { Store } from '../../store/store.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import type { InTurn } from '../in-turn.ts'
import type { TeleportDesk } from './desk.ts'
import type { TeleportDeskParts } from './desk-parts.ts'
import { waitingText } from './waiting-text.ts'

/** `inTurn` is that of pulls: what is taken in goes where they write. */
export function createRunFiles(
  parts: TeleportDeskParts,
  inTurn: InTurn,
): Pick<TeleportDesk, 'save' | 'open'> {
  return {
    save: ({ runId, cluster, family, at }) =>
      withFile(parts, async (file) => {
        const { store, name, waiting } = await sourceOf(parts, runId, cluster)
        const answer = await pullFamily(
          {
            ...commonParts(parts),
            source: store,
            cluster: name,
            file,
            local: nothing(store),
            waiting,
          },
          { runId, family },
        )
        const runIds = answer.runs.map(({ run }) => run.runId)
        const bytes = writeRunFile(file, { runIds, at })
        return {
          name: `${runId}.sagarun`,
          base64: Buffer.from(bytes).toString('base64'),
          runs: runIds.length,
          leftOut: answer.runs.reduce((sum, { run }) => sum + run.payloads.leftOut, 0),
        }
      }),
    open: ({ name, base64 }) =>
      inTurn(() =>
        withFile(parts, (file) => takeIn(parts, { file, name, bytes: Buffer.from(base64, 'base64') })),
      ),
  }
}

/** For as long as the work lasts. */
async function withFile<Answer>(
  { clock }: TeleportDeskParts,
  work: (file: PulledFile) => Promise<Answer>,
): Promise<Answer> {
  const file = await openPulledFile(':memory:', clock.now())
  try {
    return await work(file)
  } finally {
    file.close()
  }
}

const commonParts = ({ clock }: TeleportDeskParts): Pick<PullParts, 'now' | 'told' | 'specsByKind'> => ({
  now: () => clock.now(),
  told: () => undefined,
  specsByKind: taskSpecsByKind,
})

/** No id is taken in an empty place. */
const nothing = ({ info }: Store): PullParts['local'] => ({ info, load: async () => null })

interface RunSource {
  readonly store: Store
  readonly name: string
  readonly waiting: (runId: RunId) => Promise<string>
}

/** The cluster that was named, else the copies of this machine, else its own runs. */
async function sourceOf(parts: TeleportDeskParts, runId: RunId, cluster: string | null): Promise<RunSource> {
  const { clusters, pulled, kept } = parts
  const working = (store: Store, name: string): RunSource => ({
    store,
    name,
    waiting: (id) => waitingText(parts, store, id),
  })
  if (cluster !== null) return working((await clusters.open(cluster)).store, cluster)
  const copies = (await pulled.readerOf(runId)) === null ? null : await pulled.file()
  const origin = copies?.originOf(runId) ?? null
  if (copies === null || origin === null) return working(kept, hostname())
  return {
    store: createPulledStore(copies, origin),
    name: copies.find(runId)?.origin.cluster ?? '',
    waiting: async (id) => copies.waiting(id),
  }
}

/** All of its runs are checked before the first one is kept. */
async function takeIn(
  parts: TeleportDeskParts,
  given: { readonly file: PulledFile; readonly name: string; readonly bytes: Uint8Array },
): Promise<OpenRunAnswer> {
  const { file, name, bytes } = given
  const { pulled, kept } = parts
  const { runIds, at } = readRunFile(bytes, file)
  const [runId] = runIds
  if (runId === undefined) throw new SagasmithError('run_file_unreadable')
  if (file.originOf(runId)?.id === kept.info.id && (await isHere(kept, runId))) {
    return { runId, runs: runIds.length, at, isOwn: true }
  }
  try {
    await withFile(parts, (checked) => pullAll(parts, { file, into: checked, name, runIds }))
  } catch (cause) {
    // Records of a form that no engine writes fail wherever they are read first.
    throw cause instanceof SagasmithError ? cause : new SagasmithError('run_file_unreadable', { cause })
  }
  await pullAll(parts, { file, into: await pulled.fileToKeep(), name, runIds })
  parts.log.info('teleport.opened', { runId, file: name, runs: runIds.length })
  return { runId, runs: runIds.length, at, isOwn: false }
}

const isHere = async (store: Store, runId: RunId): Promise<boolean> =>
  (await store.load(partitionOfRun(store.info, runId), 'run', { runId })) !== null

async function pullAll(
  parts: TeleportDeskParts,
  given: {
    readonly file: PulledFile
    readonly into: PulledFile
    readonly name: string
    readonly runIds: readonly RunId[]
  },
): Promise<void> {
  const { file, into, name, runIds } = given
  for (const id of runIds) {
    const origin = file.originOf(id)
    if (origin === null) throw new SagasmithError('run_file_unreadable')
    if (isOlder(file.find(id), into.find(id))) continue
    await pullRun(
      {
        ...commonParts(parts),
        source: createPulledStore(file, origin),
        cluster: name,
        isFile: true,
        file: into,
        local: parts.kept,
        waiting: async (one) => file.waiting(one),
      },
      id,
    )
  }
}

/** A copy that goes further stays. */
function isOlder(brought: PulledRun | null, known: PulledRun | null): boolean {
  const [a, b] = [brought?.origin, known?.origin]
  if (a === undefined || b === undefined || a.storeId !== b.storeId) return false
  return b.epoch > a.epoch || (b.epoch === a.epoch && b.seq > a.seq)
}
