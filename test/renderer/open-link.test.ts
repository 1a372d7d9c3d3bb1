import { afterEach, expect, test, vi } from 'vitest'
import { runId } from '../../src-engine/model/ids.ts'
import { readDeepLink } from '../../src-engine/protocol/deep-link.ts'
import { commandOf } from '../../src-renderer/commands/registry.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import { copyRunLink } from '../../src-renderer/state/open-link.ts'

afterEach(() => void vi.unstubAllGlobals())

/** What the command looks at, and nothing else. */
function designerWith(part: {
  readonly nodes?: readonly string[]
  readonly site?: unknown
  readonly desktop?: unknown
}) {
  const said: string[] = []
  const current = { runId: runId('run_1'), site: part.site ?? null }
  const view = {
    selection: { nodes: part.nodes ?? [] },
    announce: (text: string) => void said.push(text),
    toast: () => undefined,
  }
  const designer = {
    desktop: part.desktop ?? null,
    runs: { getState: () => ({ current }) },
    view: { getState: () => view },
  } as unknown as Designer
  return { designer, said }
}

async function copied(nodes: readonly string[]): Promise<string> {
  const texts: string[] = []
  const writeText = (text: string): Promise<void> => {
    texts.push(text)
    return Promise.resolve()
  }
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  const { designer, said } = designerWith({ nodes })
  await copyRunLink(designer)
  expect(said).toEqual(['Link copied.'])
  return texts.join()
}

test('a link to a run leads to it, and to the step that is selected alone', async () => {
  expect(readDeepLink(await copied([]))).toEqual({ kind: 'run', runId: 'run_1', nodeId: null })
  expect(readDeepLink(await copied(['pay']))).toEqual({ kind: 'run', runId: 'run_1', nodeId: 'pay' })
  expect(readDeepLink(await copied(['pay', 'ship']))).toMatchObject({ nodeId: null })
})

test('links are made where the app answers them: for its own runs, not in a browser', () => {
  const { isEnabled } = commandOf('run.copyLink')
  expect(isEnabled(designerWith({ desktop: {} }).designer)).toBe(true)
  expect(isEnabled(designerWith({}).designer)).toBe(false)
  expect(isEnabled(designerWith({ desktop: {}, site: { name: 'plant' } }).designer)).toBe(false)
})
