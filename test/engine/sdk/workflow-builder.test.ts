/** What the types of workflows in code allow, and what they don't: the compiler checks the second half of this. */

import { expect, test } from 'vitest'
import type {
  EdgeDefinition,
  NodeDefinition,
  TaskKind,
  TriggerDefinition,
} from '../../../src-engine/index.ts'
import { defineWorkflow, kept } from '../../../src-engine/index.ts'
import { readCode } from '../../../src-engine/model/code/read-code.ts'
import { writeCode } from '../../../src-engine/model/code/write-code.ts'
import { definitionHashOf } from '../../../src-engine/model/definition-hash.ts'
import { parseDocument } from '../../../src-engine/model/read-document.ts'
import { validateWorkflow } from '../../../src-engine/model/validate-workflow.ts'
import { taskSpecs, taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { triggerSpecsByKind } from '../../../src-engine/triggers/specs.ts'

test('edges of a list are named by their order, and ports that are not named are the usual ones', () => {
  const { edges } = defineWorkflow({
    id: 'w',
    nodes: { a: { kind: 'noop' }, b: { kind: 'noop' } },
    edges: [
      ['a', 'b'],
      ['a:error', 'b:in', { label: 'failed' }],
    ],
  })
  expect(edges).toEqual({
    e1: { from: { node: 'a', port: 'out' }, to: { node: 'b', port: 'in' } },
    e2: { from: { node: 'a', port: 'error' }, to: { node: 'b', port: 'in' }, label: 'failed' },
  })
})

test('the same definition is the same version, whatever the order of its fields', () => {
  const one = defineWorkflow({ id: 'w', title: 'One', nodes: { a: { kind: 'noop' }, b: { kind: 'noop' } } })
  const two = defineWorkflow({ nodes: { b: { kind: 'noop' }, a: { kind: 'noop' } }, id: 'w' })
  expect(definitionHashOf(two)).toBe(definitionHashOf(one))
})

test('a new node of every kind is a document that can be opened', () => {
  // The catalogue is the list of kinds.
  for (const kind of Object.keys(taskSpecs) as TaskKind[]) {
    const node = { kind, parameters: taskSpecs[kind].defaults }
    const read = parseDocument(defineWorkflow({ id: 'w', nodes: { it: kept(node) } }))
    expect(read.ok && read.value.problems, kind).toEqual([])
  }
})

test('steps that give up in line, take items and run in containers come back from TypeScript as they were written', () => {
  const written = defineWorkflow({
    id: 'w',
    title: 'W',
    nodes: {
      slow: { kind: 'throttle', parameters: { count: 1, onTimeout: 'port', waitTimeout: 5_000 } },
      lock: { kind: 'semaphore', parameters: { onTimeout: 'fail', waitTimeout: 5_000 } },
      ask: {
        kind: 'http-request',
        parent: 'lock',
        parameters: { url: 'https://example.com', response: 'items', itemForm: 'events', lastItem: '[DONE]' },
      },
      count: {
        kind: 'script',
        parameters: {
          language: 'python',
          code: 'print(1)',
          venv: '.venv',
          options: ['-X', 'dev'],
          memoryMb: 512,
        },
      },
      build: {
        kind: 'docker-run',
        parameters: {
          ...{ image: 'node:24', command: ['npm', 'test'], network: 'bridge' },
          mounts: [{ source: 'src', target: '/src', isWritable: true }],
          exitMeanings: [{ codes: '4', name: 'Changed', countsAs: 'way' }],
        },
      },
      far: {
        kind: 'ssh-command',
        parameters: {
          ...{
            host: 'a.example',
            hostKeys: 'SHA256:x',
            user: 'u',
            password: '{{ secrets.P }}',
            program: 'ls',
          },
          ...{ output: 'matches', pattern: '^(?<name>.+)$' },
        },
      },
      late: { kind: 'noop' },
    },
    edges: [
      ['slow', 'lock'],
      ['slow:timeout', 'late'],
      ['build:exit-1', 'far'],
    ],
  })
  const read = parseDocument(JSON.parse(JSON.stringify(written)))
  if (!read.ok) throw new Error('it can be read')
  const { document } = read.value
  expect(validateWorkflow(document, taskSpecsByKind).filter(({ severity }) => severity === 'error')).toEqual(
    [],
  )
  const known = { tasks: taskSpecsByKind, triggers: triggerSpecsByKind }
  const again = readCode(writeCode(document, known))
  if (!again.ok) throw again.error
  expect(again.value.document).toEqual(document)
})

type Accepts<Type, Value> = Value extends Type ? true : false
type Http<Parameters> = { kind: 'http-request'; parameters: Parameters }
type Debug<Parameters> = { kind: 'debug'; parameters: Parameters }

/** What the types say: this file compiles only while these are the answers. */
interface Verdicts {
  readonly known: Accepts<NodeDefinition<'a'>, { kind: 'noop' }>
  readonly unknown: Accepts<NodeDefinition<'a'>, { kind: 'nothing' }>
  readonly complete: Accepts<NodeDefinition<'a'>, Http<{ url: 'https://example.com' }>>
  readonly withoutAddress: Accepts<NodeDefinition<'a'>, Http<{ method: 'GET' }>>
  readonly wrongMethod: Accepts<NodeDefinition<'a'>, Http<{ url: ''; method: 'GOT' }>>
  readonly expressionForNumber: Accepts<NodeDefinition<'a'>, Debug<{ failTimes: '{{ input.times }}' }>>
  readonly textForNumber: Accepts<NodeDefinition<'a'>, Debug<{ failTimes: 'twice' }>>
  readonly parent: Accepts<NodeDefinition<'a'>, { kind: 'noop'; parent: 'a' }>
  readonly strayParent: Accepts<NodeDefinition<'a'>, { kind: 'noop'; parent: 'b' }>
  readonly edge: Accepts<EdgeDefinition<'a' | 'b'>, readonly ['a:true', 'b']>
  readonly strayEdge: Accepts<EdgeDefinition<'a' | 'b'>, readonly ['a', 'c']>
  readonly unknownTrigger: Accepts<TriggerDefinition, { kind: 'moon' }>
}

test('the compiler takes what a workflow may say, and refuses what none means', () => {
  const verdicts: Verdicts = {
    known: true,
    unknown: false,
    complete: true,
    withoutAddress: false,
    wrongMethod: false,
    expressionForNumber: true,
    textForNumber: false,
    parent: true,
    strayParent: false,
    edge: true,
    strayEdge: false,
    unknownTrigger: false,
  }
  expect(Object.values(verdicts).filter((accepted) => accepted)).toHaveLength(5)
})
