/** Settings of a step that look at what it gives, or at what it gave before: which steps may have them. */

import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { validateWorkflow } from '../../../src-engine/model/validate-workflow.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf } from './workflow-fixture.ts'

const cache = { ttlMs: 60_000 }
const checkExpression = (text: string) =>
  text.includes('((') ? { message: 'Unexpected end.', position: 1 } : null
/** Problems that are about these settings. */
const codes = (parts: JsonObject): readonly string[] =>
  validateWorkflow(documentOf(parts), taskSpecsByKind, { checkExpression })
    .filter(({ field }) => /^(?:cache|keepOutput|redact|stopAfterIf)/.test(field ?? ''))
    .map(({ code }) => code)
const node = (fields: JsonObject = {}): JsonObject => ({
  kind: 'log',
  parameters: { message: 'm' },
  ...fields,
})

test.each<[string, JsonObject, readonly string[]]>([
  [
    'a cache of a step with effects',
    { nodes: { a: node({ cache, sideEffect: 'unsafe' }) } },
    ['cache_with_effects'],
  ],
  [
    'a cache of a step that is sent a key',
    { nodes: { a: node({ cache, sideEffect: 'keyed' }) } },
    ['cache_with_effects'],
  ],
  ['a cache of a step without effects', { nodes: { a: node({ cache, sideEffect: 'idempotent' }) } }, []],
  [
    'a cache of a step that is undone',
    {
      nodes: {
        a: node({ cache, sideEffect: 'pure', compensation: { task: { kind: 'log', parameters: {} } } }),
      },
    },
    ['cache_with_undo'],
  ],
  [
    'a cache of a step that can’t be undone',
    { nodes: { a: node({ cache, sideEffect: 'pure', compensation: { impossible: 'it only reads' } }) } },
    [],
  ],
  ['an end after a step', { nodes: { a: node({ stopAfterIf: 'output = 1' }) } }, []],
  [
    'an end after a step that waits',
    { nodes: { a: { kind: 'delay', stopAfterIf: 'output = 1' } } },
    ['stop_not_here'],
  ],
  [
    'an end after a step that can’t be read',
    { nodes: { a: node({ stopAfterIf: '((' }) } },
    ['expression_invalid'],
  ],
  ['places to take out', { nodes: { a: node({ redact: ['a.*.b', '$'] }) } }, []],
  ['a place that is none', { nodes: { a: node({ redact: ['a', 'b..c'] }) } }, ['redact_path_invalid']],
  [
    'places of what comes from elsewhere',
    { nodes: { a: { kind: 'delay', redact: ['a'] } } },
    ['redact_not_here'],
  ],
  ['a cache of a kind that steers', { nodes: { a: { kind: 'join', cache } } }, ['cache_not_here']],
  [
    'a key of a cache that can’t be read',
    { nodes: { a: node({ cache: { ...cache, key: '((' }, sideEffect: 'pure' }) } },
    ['expression_invalid'],
  ],
  [
    'a key of a cache that names a secret',
    { nodes: { a: node({ cache: { ...cache, key: 'secrets.A' }, sideEffect: 'pure' }) } },
    ['secret_not_here'],
  ],
  ['an end after a map', { nodes: { a: { kind: 'map', stopAfterIf: 'output = 1' } } }, ['stop_not_here']],
  ['an end after a stop', { nodes: { a: { kind: 'stop', stopAfterIf: 'output = 1' } } }, ['stop_not_here']],
  [
    'places of what the steps inside give',
    { nodes: { a: { kind: 'loop', redact: ['a'] } } },
    ['redact_not_here'],
  ],
  ['an output that is not kept', { nodes: { a: node({ keepOutput: 'none' }) } }, []],
  [
    'one that comes from elsewhere',
    { nodes: { a: { kind: 'delay', keepOutput: 'none' } } },
    ['keep_not_here'],
  ],
  [
    'one that what undoes it needs',
    {
      nodes: { a: node({ keepOutput: 'summary', compensation: { task: { kind: 'noop', parameters: {} } } }) },
    },
    ['kept_output_needed'],
  ],
  [
    'one that later runs take over',
    { nodes: { a: node({ keepOutput: 'none', cache, sideEffect: 'pure' }) } },
    ['kept_output_needed'],
  ],
  [
    'one of a step that nothing can undo',
    { nodes: { a: node({ keepOutput: 'none', compensation: { impossible: 'It is a mail.' } }) } },
    [],
  ],
  ['settings that say nothing', { nodes: { a: { kind: 'delay', stopAfterIf: ' ', redact: [] } } }, []],
])('%s', (_name, parts, expected) => expect(codes(parts)).toEqual(expected))
