/** What a page does about trust: owners widen by hand, what comes from elsewhere is asked about. */

import { expect, test } from 'vitest'
import type { DocumentStanding, TrustedDocument } from '../../src-engine/model/document-trust.ts'
import { standingOf, trustedWith } from '../../src-engine/model/document-trust.ts'
import type { NodeId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { reachOf } from '../../src-engine/model/reach.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../src-engine/triggers/specs.ts'
import { pasteText } from '../../src-renderer/commands/app/edit-commands.ts'
import { moveInto } from '../../src-renderer/commands/bodies.ts'
import { clipToText, makeClip } from '../../src-renderer/commands/clip.ts'
import { connect } from '../../src-renderer/commands/connect.ts'
import { takeDocument } from '../../src-renderer/commands/take-code.ts'
import { beginRun } from '../../src-renderer/state/begin-run.ts'
import { restoreVersion } from '../../src-renderer/state/checkpoints.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'
import { takeFromDisk } from '../../src-renderer/state/follow-disk.ts'
import { isTrusted, revokeTrust, startTrust, trustOpen } from '../../src-renderer/state/follow-trust.ts'
import { openInTab, showTabOf } from '../../src-renderer/state/tabs/tabs.ts'
import { abilities, reachGroups } from '../../src-renderer/trust/reach-groups.ts'
import { link } from './factories.ts'
import { newMachine, openPage, settled } from './fake-designer.ts'

const reach = (document: WorkflowDocument) =>
  reachOf(document, { tasks: taskSpecsByKind, triggers: triggerSpecsByKind })

/** An engine that keeps the list in memory, by the same rule. */
function scene() {
  const list = new Map<string, TrustedDocument>()
  const asked: WorkflowDocument[] = []
  const machine = newMachine()
  const standing = (document: WorkflowDocument): DocumentStanding =>
    standingOf(reach(document), list.get(document.id) ?? null)
  Object.assign(machine.methods, {
    'documents.standing': ({ document }: { document: WorkflowDocument }) => {
      asked.push(document)
      return standing(document)
    },
    'documents.trust': (given: { document: WorkflowDocument; reason: 'made' | 'looked' }) => {
      const { document, reason } = given
      const { id, title } = document
      const entry = { id, title, reason, at: 0, reach: reach(document) }
      list.set(id, trustedWith(list.get(id) ?? null, entry))
      return standing(document)
    },
    'documents.revoke': ({ workflowId }: { workflowId: string }) => {
      list.delete(workflowId)
      return {}
    },
  })
  const { designer, pass } = openPage(machine, taskSpecsByKind)
  startTrust(designer)
  return { designer, pass, list, asked }
}

const listing = (...folders: readonly string[]): WorkflowDocument =>
  ({
    ...{ format: 'sagasmith.workflow', schemaVersion: 1, id: 'w', title: 'W', edges: {} },
    nodes: Object.fromEntries(
      folders.map((folder, index) => [`n${index}`, { kind: 'list-files', parameters: { folder } }]),
    ),
  }) as unknown as WorkflowDocument

const clipOf = (document: WorkflowDocument): string => {
  // Keys of `nodes` are node ids.
  const clip = makeClip(document, Object.keys(document.nodes) as NodeId[])
  return clip === null ? '' : clipToText(clip)
}
const open = (designer: Designer, document: WorkflowDocument, path = '/w.json'): void =>
  openInTab(designer, { document, path, etag: 'e1' }, { isSaved: true })
const write = (designer: Designer, document: WorkflowDocument): void =>
  designer.document.getState().edit(takeDocument('Edit', document))
const status = (designer: Designer) => designer.trust.getState().standing?.status

test('a file from elsewhere is restricted, whatever is edited in it, until it is trusted', async () => {
  const { designer, pass, list } = scene()
  open(designer, listing('/a'))
  await pass()
  expect(status(designer)).toBe('restricted')
  write(designer, listing('/b'))
  await pass()
  expect(status(designer)).toBe('restricted')
  expect(list.size).toBe(0)
  await trustOpen(designer)
  expect(status(designer)).toBe('trusted')
  expect(list.get('w')?.reason).toBe('looked')
})

test('running it shows what it may touch instead', async () => {
  const { designer } = scene()
  open(designer, listing('/a'))
  // At once, before anybody asked.
  await beginRun(designer)
  expect(designer.view.getState().dialog).toBe('trust')
})

test('what its owner makes is trusted as it is made', async () => {
  const { designer, pass, list } = scene()
  open(designer, listing())
  await pass()
  write(designer, listing('/a'))
  await pass()
  expect(status(designer)).toBe('trusted')
  expect(list.get('w')).toMatchObject({ reason: 'made', reach: ['paths list-files /a'] })
})

test('where steps stand is no matter of trust: nobody is asked, and what was said still holds', async () => {
  const { designer, pass, asked } = scene()
  open(designer, listing('/a'))
  await trustOpen(designer)
  await pass()
  const before = asked.length
  designer.document.getState().edit(moveInto({ nodes: { n0: { x: 40, y: 0 } }, notes: {} }, {}))
  await pass()
  designer.document.getState().undo()
  await pass()
  expect(await isTrusted(designer)).toBe(true)
  expect(asked.length).toBe(before)
})

test('where edges lead is no matter of trust either: a large workflow isn’t sent for a new one', async () => {
  const { designer, pass, asked } = scene()
  open(designer, listing('/a', '/b'))
  await trustOpen(designer)
  await pass()
  const before = asked.length
  designer.document.getState().edit(connect(link('n0', 'n1')))
  await pass()
  expect(await isTrusted(designer)).toBe(true)
  expect(asked.length).toBe(before)
  // With a step or a setting that changes beside it, the engine is asked.
  write(designer, { ...listing('/a', '/c'), capabilities: { hosts: ['127.0.0.1'] } })
  await pass()
  expect(asked.length).toBeGreaterThan(before)
  expect(asked.at(-1)?.capabilities?.hosts).toEqual(['127.0.0.1'])
})

test('a large workflow is drawn before it is sent to be asked about, and asked about at once by who runs it', async () => {
  const { designer, asked } = scene()
  const spans: number[] = []
  const { after } = designer.ambient
  Object.assign(designer.ambient, {
    after: (span: number, call: () => void) => {
      spans.push(span)
      return after(span, call)
    },
  })
  open(designer, listing('/a'), '/small.json')
  open(designer, listing(...Array.from({ length: 500 }, (_, at) => `/${at}`)), '/large.json')
  expect(spans[0]).toBe(0)
  expect(spans[1]).toBeGreaterThan(100)
  await isTrusted(designer)
  expect(Object.keys(asked.at(-1)?.nodes ?? {})).toHaveLength(500)
})

test('what another program adds to a trusted file is asked about; less of it is not', async () => {
  const { designer, pass, list } = scene()
  open(designer, listing('/a', '/b'))
  await trustOpen(designer)
  takeFromDisk(designer, { document: listing('/a'), path: '/w.json', etag: 'e2' })
  await pass()
  expect(status(designer)).toBe('trusted')
  takeFromDisk(designer, { document: listing('/etc'), path: '/w.json', etag: 'e3' })
  await pass()
  expect(status(designer)).toBe('restricted')
  expect(designer.trust.getState().standing?.beyond.map(({ text }) => text)).toEqual(['/etc'])
  expect(list.get('w')?.reach).not.toContain('paths list-files /etc')
})

test('a trigger that another program adds or changes is asked about; one of one’s own is not', async () => {
  const { designer, pass, list } = scene()
  const started = (name: string): WorkflowDocument => ({
    ...listing('/a'),
    triggers: { t: { kind: 'event', parameters: { name } } },
  })
  open(designer, listing('/a'))
  await trustOpen(designer)
  takeFromDisk(designer, { document: started('theirs'), path: '/w.json', etag: 'e2' })
  await pass()
  expect(status(designer)).toBe('restricted')
  expect(abilities(designer.trust.getState().standing?.beyond ?? [])).toBe('start by itself')
  await trustOpen(designer)
  write(designer, started('mine'))
  await pass()
  expect(status(designer)).toBe('trusted')
  expect(list.get('w')?.reach).toContain('starts event mine')
})

test('what is pasted from outside is asked about; what was copied here is not', async () => {
  const { designer, pass } = scene()
  open(designer, listing())
  await pass()
  const text = clipOf(listing('/pasted'))
  designer.clipboard.text = text
  expect(pasteText(designer, text)).toBe(true)
  await pass()
  expect(status(designer)).toBe('trusted')
  pasteText(designer, clipOf(listing('/sent')))
  await pass()
  expect(status(designer)).toBe('restricted')
})

test('a version from the history is asked about where it reaches further', async () => {
  const { designer, pass } = scene()
  open(designer, listing('/a'))
  await trustOpen(designer)
  restoreVersion(designer, listing('/theirs'), 'today')
  await pass()
  expect(status(designer)).toBe('restricted')
  designer.document.getState().undo()
  await pass()
  expect(status(designer)).toBe('trusted')
})

test('revoked, the next edit doesn’t trust it again', async () => {
  const { designer, pass, list } = scene()
  open(designer, listing('/a'))
  await trustOpen(designer)
  await revokeTrust(designer, listing().id)
  expect(status(designer)).toBe('restricted')
  write(designer, listing('/b'))
  await pass()
  expect(status(designer)).toBe('restricted')
  expect(list.size).toBe(0)
})

test('an edit of the last moment is its owner’s, also when another tab comes to the front', async () => {
  const { designer, pass, list } = scene()
  open(designer, listing())
  await pass()
  write(designer, listing('/late'))
  open(designer, { ...listing(), id: 'other' as never }, '/other.json')
  await settled()
  await pass()
  expect(list.get('w')?.reach).toEqual(['paths list-files /late'])
})

test('a tab in the back keeps its mark', async () => {
  const { designer, pass } = scene()
  open(designer, listing('/a'))
  await pass()
  const [first] = designer.tabs.getState().tabs
  open(designer, { ...listing(), id: 'other' as never }, '/other.json')
  await pass()
  expect([...designer.trust.getState().restricted]).toEqual([first?.id])
  showTabOf(designer, '/w.json')
  await settled()
  await pass()
  await trustOpen(designer)
  expect(designer.trust.getState().restricted.size).toBe(0)
})

test('things are told by group, gravest first, each once with all its steps', () => {
  const document = listing('/a', '/a', '/b')
  const parameters: JsonObject = { program: 'rm', arguments: ['-rf'] }
  const nodes = { ...document.nodes, run: { kind: 'shell-command', parameters } }
  const all = reach({ ...document, nodes })
  const groups = reachGroups(
    all,
    all.filter(({ text }) => text === '/b'),
  )
  expect(
    groups.map(({ what, rows }) => [
      what,
      rows.map(({ text, isNew, places }) => [text, isNew, places.length]),
    ]),
  ).toEqual([
    ['commands', [['rm -rf', false, 1]]],
    [
      'paths',
      [
        ['/a', false, 2],
        ['/b', true, 1],
      ],
    ],
  ])
  expect(abilities(all)).toBe('run commands and touch files')
  expect(abilities(all.filter(({ what }) => what === 'paths'))).toBe('touch files')
})
