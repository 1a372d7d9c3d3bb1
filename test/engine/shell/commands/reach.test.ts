/** What `validate --reach` prints. */

import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import type { CommandContext } from '../../../../src-engine/shell/commands/command.ts'
import { printReach } from '../../../../src-engine/shell/commands/reach.ts'

const document = {
  nodes: {
    a: {
      kind: 'http-request',
      title: 'Fetch',
      parameters: { url: 'https://api.example.com/{{ input.id }}' },
    },
    b: { kind: 'http-request', parameters: { url: 'https://api.example.com/all' } },
    c: { kind: 'write-file', parameters: { path: '{{ input.path }}' } },
    d: { kind: 'acme', parameters: {} },
  },
  edges: {},
} as unknown as WorkflowDocument

function printed(shown: WorkflowDocument, json = false) {
  const lines: string[] = []
  const emitted: JsonObject[] = []
  const terminal = {
    line: (text: string) => lines.push(text),
    colors: { dim: (text: string) => `(${text})` },
  }
  const emit = (line: JsonObject) => emitted.push(line)
  printReach({ json, emit, terminal } as unknown as CommandContext, shown)
  return { lines, emitted }
}

test('each thing once with the steps that touch it, and what a run decides as its expression', () => {
  expect(printed(document).lines).toEqual([
    'Hosts',
    '  api.example.com  (Fetch, b)',
    'Files and folders',
    '  decided when it runs: {{ input.path }}  (c)',
    'Kinds of steps that are not known here: nobody can tell what they touch',
    '  acme  (d)',
  ])
})

test('what no step touches is told as a trigger’s or the whole workflow’s', () => {
  const open = {
    nodes: {},
    edges: {},
    triggers: { a: { kind: 'file-watch', parameters: { folder: '/in' } } },
    capabilities: { hosts: ['nas.local:8080'] },
  } as unknown as WorkflowDocument
  expect(printed(open).lines).toEqual([
    'Addresses of this machine and its network',
    '  nas.local:8080  (the workflow)',
    'Files and folders',
    '  /in  (On a file change)',
    'What starts it by itself',
    '  * in /in (add)  (On a file change)',
  ])
})

test('a line of JSON per thing and step', () => {
  const { lines, emitted } = printed(document, true)
  expect(lines).toEqual([])
  expect(emitted).toHaveLength(4)
  expect(emitted[2]).toEqual({
    type: 'reach',
    what: 'paths',
    kind: 'write-file',
    text: '{{ input.path }}',
    decidedByRun: true,
    nodeId: 'c',
  })
})

test('says that nothing is touched', () => {
  const empty = { nodes: { a: { kind: 'log' } }, edges: {} } as unknown as WorkflowDocument
  expect(printed(empty).lines).toEqual(['It touches nothing outside of its runs.'])
})
