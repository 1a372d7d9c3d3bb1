/** Tests of the open document: listed, played, made of the shown run, brought up to date, removed. */

import { recordOfThrown } from '../../src-engine/model/errors.ts'
import type { OutputOf } from '../../src-engine/protocol/api.ts'
import { fill } from '../text/messages.ts'
import { testWords as words } from '../text/test-words.ts'
import { asJson } from './blank-document.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { lineTo } from './site-lines.ts'

/** Where the tests lie, and the workflow as it is by now; null for one that was never saved. */
function fileOf(designer: Designer) {
  const { path, history } = designer.document.getState()
  return path === null ? null : { path, document: asJson(history.document) }
}

/** Lists the tests beside the open file. */
export async function loadTests(designer: Designer, path: string): Promise<void> {
  const { setTests } = designer.tests.getState()
  try {
    const { tests } = await lineTo(designer, null).call('tests.list', { path })
    setTests(path, tests, null)
  } catch (thrown) {
    setTests(path, null, recordOfThrown(thrown))
  }
}

/** Plays one test, or all, on the document as it is by now. */
export async function playTests(designer: Designer, name: string | null): Promise<void> {
  const file = fileOf(designer)
  if (file === null) return
  const { document } = designer.document.getState().history
  const { setPlaying, addPlayed } = designer.tests.getState()
  setPlaying(true)
  await attempt(designer, async () => {
    const { results } = await lineTo(designer, null).call('tests.run', { ...file, name })
    addPlayed(results, document)
    const failed = results.filter(({ isPassed }) => !isPassed).length
    const said = [
      fill(words.passed, { count: results.length - failed }),
      fill(words.failed, { count: failed }),
    ]
    designer.view.getState().announce(said.join(', '))
  })
  setPlaying(false)
}

/** Has a test expect what comes by now. */
export async function updateTest(designer: Designer, name: string): Promise<void> {
  const file = fileOf(designer)
  if (file === null) return
  await attempt(designer, () => lineTo(designer, null).call('tests.update', { ...file, name }))
  await playTests(designer, name)
  await loadTests(designer, file.path)
}

/** Throws a test away. */
export async function removeTest(designer: Designer, name: string): Promise<void> {
  const { path } = designer.document.getState()
  if (path === null) return
  const gone = await attempt(designer, () => lineTo(designer, null).call('tests.remove', { path, name }))
  if (gone !== null) designer.view.getState().announce(fill(words.removed, { name }))
  await loadTests(designer, path)
}

/** Keeps the shown run as a test; null when that was refused, which is told. */
export async function keepRun(
  designer: Designer,
  given: { readonly name: string; readonly accept: boolean },
): Promise<OutputOf<'tests.record'> | null> {
  const file = fileOf(designer)
  const { current } = designer.runs.getState()
  if (file === null || current === null) return null
  const { runId } = current
  const answer = await attempt(designer, () =>
    lineTo(designer, null).call('tests.record', { ...file, ...given, runId }),
  )
  if (answer?.kept === true) {
    const { toast, setPanels, announce } = designer.view.getState()
    const message = fill(words.kept, { name: given.name })
    const steps = answer.volatile.join(', ')
    toast({ tone: 'good', message, hint: steps === '' ? null : fill(words.volatile, { steps }) })
    announce(message)
    setPanels({ isBottomOpen: true, bottomTab: 'tests' })
    await loadTests(designer, file.path)
    await playTests(designer, given.name)
  }
  return answer
}

/** Whether the shown run can become a test: of this computer, of the open file, and ended. */
export function canKeepRun({ runs, document }: Designer): boolean {
  const { current } = runs.getState()
  const { path, isOpen } = document.getState()
  const run = current?.live.replay.run ?? null
  return isOpen && path !== null && current?.site === null && run !== null && run.finishedAt !== null
}
