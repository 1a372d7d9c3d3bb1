/** Two versions as one picture, and what differs in words. */

import { describe, expect, it, test } from 'vitest'
import { definitionHash, nodeId, workflowId } from '../../src-engine/model/ids.ts'
import { versionChanges } from '../../src-engine/model/version-changes.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { PushPreview, SecretStanding } from '../../src-engine/protocol/push.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { diffGraph } from '../../src-renderer/canvas/diff/diff-graph.ts'
import { fieldChanges } from '../../src-renderer/canvas/diff/field-change.ts'
import { cardWidth } from '../../src-renderer/canvas/geometry.ts'
import { checkLines, edgeWords } from '../../src-renderer/panels/dialogs/push/push-checks.ts'
import { chain, edgeOf } from './factories.ts'

const changesOf = (before: WorkflowDocument, after: WorkflowDocument) =>
  versionChanges(before, after, taskSpecsByKind)
const graphOf = (before: WorkflowDocument, after: WorkflowDocument) =>
  diffGraph(before, after, changesOf(before, after))

describe('the picture of a difference', () => {
  it('has what went as a ghost where it stood, with its edges', () => {
    const { document, nodes, edges } = graphOf(chain('a', 'b', 'c'), chain('a', 'b'))
    expect([...nodes]).toEqual([['c', 'removed']])
    expect([...edges]).toEqual([[edgeOf('b', 'c'), 'removed']])
    expect(document.nodes).toHaveProperty('c')
    expect(document.edges).toHaveProperty(edgeOf('b', 'c'))
    expect(document.layout?.nodes?.[nodeId('c')]).toEqual({ x: 640, y: 0 })
  })

  it('never draws a ghost over what stands there now', () => {
    const before = chain('a', 'b')
    const after = chain('a', 'c')
    const { document } = graphOf(before, after)
    const ghost = document.layout?.nodes?.[nodeId('b')] ?? { x: 0, y: 0 }
    const now = document.layout?.nodes?.[nodeId('c')] ?? { x: 0, y: 0 }
    expect(ghost.y >= now.y + 64 || Math.abs(ghost.x - now.x) >= cardWidth).toBe(true)
  })

  it('marks what is new and what is another, and nothing else', () => {
    const before = chain('a', 'b')
    const changed = { ...before, nodes: { ...before.nodes, [nodeId('a')]: { kind: 'log', parameters: {} } } }
    const after = { ...changed, nodes: { ...changed.nodes, [nodeId('n')]: { kind: 'noop' } } }
    const { nodes } = graphOf(before, after)
    expect(Object.fromEntries(nodes)).toEqual({ a: 'changed', n: 'added' })
  })

  it('is the workflow as it is where there is no version yet', () => {
    const after = chain('a', 'b')
    expect(diffGraph(null, after, []).document).toBe(after)
  })
})

describe('a field that differs', () => {
  const withA = (node: object): WorkflowDocument => ({
    ...chain('a'),
    nodes: { [nodeId('a')]: { kind: 'log', ...node } },
  })

  it('says what it was and what it is', () => {
    const versions = {
      before: withA({ parameters: { message: 'old' } }),
      after: withA({ parameters: { message: 'new' }, retry: { maxAttempts: 4 } }),
    }
    const [change] = changesOf(versions.before, versions.after)
    if (change === undefined) throw new Error('There is a change.')
    const fields = fieldChanges(change, versions, taskSpecsByKind)
    expect(fields).toContainEqual({ path: 'parameters.message', before: 'old', after: 'new' })
    expect(fields.find(({ path }) => path.startsWith('retry'))?.after).toContain('4')
  })

  it('has no values where all of a node came or went', () => {
    const [change] = changesOf(chain('a'), chain('a', 'b'))
    if (change === undefined) throw new Error('There is a change.')
    expect(fieldChanges(change, { before: chain('a'), after: chain('a', 'b') }, taskSpecsByKind)).toEqual([])
  })

  it('is cut when it is long', () => {
    const versions = {
      before: withA({ parameters: { message: 'x' } }),
      after: withA({ parameters: { message: 'y'.repeat(9_999) } }),
    }
    const [change] = changesOf(versions.before, versions.after)
    if (change === undefined) throw new Error('There is a change.')
    expect(fieldChanges(change, versions, taskSpecsByKind)[0]?.after?.length).toBeLessThan(500)
  })
})

const preview = (given: Partial<PushPreview>): PushPreview => ({
  hash: definitionHash('w1_new'),
  known: false,
  starts: [],
  startedWorkflows: [],
  newest: null,
  changes: [],
  runners: 2,
  trusting: 2,
  missingKinds: [],
  secrets: [],
  secretStandings: [],
  inFlight: [],
  moreInFlight: false,
  ahead: [],
  ...given,
})
const standing = (given: Partial<SecretStanding>): SecretStanding => ({
  name: 'shop',
  workflow: null,
  nodes: [nodeId('a'), nodeId('b')],
  having: 0,
  lacking: 0,
  silent: 0,
  reasons: [],
  ...given,
})
const textsOf = (given: Partial<PushPreview>): string =>
  checkLines(preview(given))
    .map(({ text, tone }) => `${tone}: ${text}`)
    .join('\n')

test.for<readonly [string, Partial<PushPreview>, string]>([
  ['no runner', { runners: 0, trusting: 0 }, 'wait: No runner works there now'],
  ['runners that all trust it', {}, 'good: 2 runners work there. All of them trust it.'],
  ['runners of which some trust it', { trusting: 1 }, '1 of 2 runners trust it.'],
  ['runners that don’t trust it', { trusting: 0 }, 'wait: No runner there trusts this version yet.'],
  [
    'a kind that nobody can do',
    { missingKinds: [{ kind: 'http-request', workflow: null, nodes: [nodeId('a'), nodeId('b')] }] },
    'wait: No runner there can do http-request, which a, b need.',
  ],
  [
    'a kind that a workflow needs which it starts',
    { missingKinds: [{ kind: 'shell-command', workflow: 'Invoices', nodes: [nodeId('a')] }] },
    'wait: No runner there can do shell-command, which a of “Invoices” needs.',
  ],
  [
    'workflows that it starts',
    {
      startedWorkflows: (['new', 'other', 'same'] as const).map((there) => {
        return { id: workflowId(there), title: there.toUpperCase(), hash: definitionHash('w1_sub'), there }
      }),
    },
    'plain: New there too, as it starts them: NEW.\nplain: It starts these in versions that aren’t there yet: OTHER.\n',
  ],
  [
    'a secret that only what it starts lacks',
    {
      secrets: ['shop'],
      secretStandings: [
        standing({ having: 2 }),
        standing({ workflow: 'Invoices', lacking: 2, reasons: ['missing'] }),
      ],
    },
    'wait: No runner there can give the secret shop to a, b of “Invoices”: it isn’t in the vault.',
  ],
  ['secrets', { secrets: ['shop'] }, 'plain: Each runner needs these secrets in its own vault: shop.'],
  [
    'a secret that no runner has',
    { secrets: ['shop'], secretStandings: [standing({ lacking: 2, reasons: ['missing', 'hosts'] })] },
    'wait: No runner there can give the secret shop to a, b: it isn’t in the vault, or it is bound to other hosts.',
  ],
  [
    'a secret that some runners have',
    { secrets: ['shop'], secretStandings: [standing({ having: 1, lacking: 1, reasons: ['locked'] })] },
    'wait: 1 of 2 runners can’t give the secret shop to a, b: the vault is locked. A step',
  ],
  [
    'a secret that all have',
    { secrets: ['shop'], secretStandings: [standing({ having: 2 })] },
    'good: They have the secrets that it needs: shop.',
  ],
  [
    'a secret of which a runner doesn’t tell',
    { secrets: ['shop'], secretStandings: [standing({ having: 1, silent: 1 })] },
    'plain: Each runner needs these secrets in its own vault: shop.',
  ],
  ['nothing in flight', {}, 'plain: No run of this workflow is in flight there.'],
  [
    'runs in flight, by version',
    {
      newest: { hash: definitionHash('w1_old'), publishedAt: 0 },
      inFlight: [
        { hash: definitionHash('w1_old'), count: 2 },
        { hash: definitionHash('w1_older000000'), count: 1 },
      ],
    },
    '3 in flight stay with the version that they began with: 2 on the newest there, 1 on w1_older000…',
  ],
])('a push tells of %s', ([, given, expected]) => {
  expect(textsOf(given)).toContain(expected)
})

it('edges are counted by what became of them', () => {
  expect(edgeWords(changesOf(chain('a', 'b'), chain('a', 'c')).filter(({ what }) => what === 'edge'))).toBe(
    'Connections: 1 new, 1 gone',
  )
})
