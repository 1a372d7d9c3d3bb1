/** Runs as files: the shown one saved, and one that somebody brings opened. */

import { SagasmithError } from '../../src-engine/model/errors.ts'
import { runFileBytesMax } from '../../src-engine/model/limits.ts'
import { fill } from '../text/messages.ts'
import { teleportWords as words } from '../text/teleport-words.ts'
import { base64Of, bytesOf } from './base64.ts'
import { shownSeq } from './debugging.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { showInstant } from './show-instant.ts'
import { showRunOf } from './show-run.ts'
import { lineTo } from './site-lines.ts'

/** Whether bytes are those of a run’s file: compressed, as nothing else that is opened here. */
export const isRunFile = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/** Hands over the shown run with those that it started, and the moment that is looked at. */
export async function saveShownRun(designer: Designer): Promise<void> {
  const { current } = designer.runs.getState()
  if (current === null) return
  const { runId, site } = current
  const seq = shownSeq(designer)
  await attempt(designer, async () => {
    const saved = await lineTo(designer, null).call('teleport.save', {
      runId,
      cluster: site?.name ?? null,
      family: true,
      // Before its first event there is nothing to be shown.
      at: seq === 0 ? null : seq,
    })
    if (!(await designer.exchange.download(saved.name, bytesOf(saved.base64)))) return
    const hint = saved.leftOut === 0 ? null : fill(words.fileLeftOut, { count: saved.leftOut })
    designer.view
      .getState()
      .toast({ tone: 'good', message: fill(words.fileSaved, { name: saved.name }), hint })
  })
}

/** Takes a run from a file and shows it. Throws what the engine refuses. */
export async function openRunFile(designer: Designer, name: string, bytes: Uint8Array): Promise<void> {
  if (bytes.byteLength > runFileBytesMax) throw new SagasmithError('run_file_unreadable')
  const base64 = await base64Of(bytes)
  const { runId, at } = await lineTo(designer, null).call('teleport.open', { name, base64 })
  await showRunOf(designer, { runId, nodeId: null, site: null })
  if (at !== null) showInstant(designer, { runId, seq: at })
}
