/** Workflows of every kind of course that a run can take. */

import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'

export const transform = (expression: string): JsonObject => ({
  kind: 'transform',
  parameters: { expression },
})

const onlyOne = { count: 1, amount: 1 }
const leavesSoon = { onTimeout: 'port', waitTimeout: 200 }

/** By name; runs of them end without anybody's help. */
export const replaySamples: Readonly<
  Record<string, { readonly parts: JsonObject; readonly input?: JsonValue }>
> = {
  'a chain': {
    parts: { nodes: { a: transform('input.n + 1'), b: transform('input * 2') }, edges: edgesOf('a>b') },
    input: { n: 1 },
  },
  'a failure': {
    parts: { nodes: { a: transform('1'), b: transform('$error("no")') }, edges: edgesOf('a>b') },
  },
  'tries that fail, and one that does not': {
    parts: {
      nodes: { a: { kind: 'debug', parameters: { failTimes: 2 }, retry: { maxAttempts: 5, delayMs: 10 } } },
    },
    input: 'x',
  },
  'tries that fail': {
    parts: {
      nodes: { a: { kind: 'debug', parameters: { failTimes: 9 }, retry: { maxAttempts: 3, delayMs: 10 } } },
    },
  },
  'an error that is dealt with': {
    parts: {
      nodes: { a: transform('$error("no")'), b: transform('input.error.code') },
      edges: edgesOf('a:error>b'),
    },
  },
  'a branch that is not taken': {
    parts: {
      nodes: {
        choose: { kind: 'if', parameters: { condition: 'input > 1' } },
        yes: transform('"yes"'),
        no: transform('"no"'),
        both: { kind: 'join' },
      },
      edges: edgesOf('choose:true>yes', 'choose:false>no', 'yes>both', 'no>both'),
    },
    input: 2,
  },
  'a map': {
    parts: {
      nodes: {
        each: { kind: 'map', parameters: { items: 'input' } },
        double: { ...transform('item * 2'), parent: 'each' },
        sum: transform('$sum(input)'),
      },
      edges: edgesOf('each>sum'),
    },
    input: [1, 2, 3],
  },
  'a loop': {
    parts: {
      nodes: {
        again: { kind: 'loop', parameters: { mode: 'while', condition: 'loop.value < 20' } },
        double: { ...transform('input * 2'), parent: 'again' },
      },
    },
    input: 1,
  },
  'a race': {
    parts: {
      nodes: {
        slow: { kind: 'delay', parameters: { amount: 500, unit: 'milliseconds' } },
        fast: { kind: 'delay', parameters: { amount: 10, unit: 'milliseconds' } },
        first: { kind: 'join', join: { mode: 'any', cancelLosers: true } },
      },
      edges: edgesOf('slow>first', 'fast>first'),
    },
    input: 'go',
  },
  'a delay and an output': {
    parts: {
      nodes: {
        wait: { kind: 'delay', parameters: { amount: 10, unit: 'milliseconds' } },
        a: transform('input'),
      },
      edges: edgesOf('wait>a'),
      settings: { output: 'nodes.a.output & "!"' },
    },
    input: 'x',
  },
  'a stop': {
    parts: { nodes: { end: { kind: 'stop', parameters: { status: 'failed', message: '"enough"' } } } },
  },
  'a step that finds no room, and is skipped': {
    parts: {
      nodes: {
        each: { kind: 'map', parameters: { items: 'input', limit: 2 } },
        work: {
          kind: 'debug',
          parent: 'each',
          parameters: { sleepMs: 200 },
          concurrency: { running: 'TASK', limit: 1, onFull: 'final', onFinal: 'skip' },
        },
      },
    },
    input: [1, 2],
  },
  'a step that finds no room, and fails': {
    parts: {
      nodes: {
        each: { kind: 'map', parameters: { items: 'input', limit: 2 } },
        work: {
          kind: 'debug',
          parent: 'each',
          parameters: { sleepMs: 200 },
          concurrency: { running: 'TASK', limit: 1, onFull: 'final' },
        },
      },
    },
    input: [1, 2],
  },
  'a throttle that finds no room': {
    parts: {
      nodes: {
        each: { kind: 'map', parameters: { items: 'input', limit: 2 } },
        slow: {
          kind: 'throttle',
          parent: 'each',
          parameters: { count: 1, amount: 1, unit: 'hours', onFull: 'skip' },
        },
      },
    },
    input: [1, 2],
  },
  'a throttle that is waited for in vain': {
    parts: {
      nodes: {
        each: { kind: 'map', parameters: { items: 'input', limit: 2 } },
        slow: { kind: 'throttle', parent: 'each', parameters: { ...onlyOne, unit: 'hours', ...leavesSoon } },
        late: { ...transform('input.error.code'), parent: 'each' },
      },
      edges: edgesOf('slow:timeout>late'),
    },
    input: [1, 2],
  },
  'a semaphore that is waited for in vain': {
    parts: {
      nodes: {
        each: { kind: 'map', parameters: { items: 'input', limit: 2 } },
        lock: { kind: 'semaphore', parent: 'each', parameters: { permits: 1, ...leavesSoon } },
        long: { kind: 'delay', parent: 'lock', parameters: { amount: 500, unit: 'milliseconds' } },
        late: { ...transform('input.error.code'), parent: 'each' },
      },
      edges: edgesOf('lock:timeout>late'),
    },
    input: [1, 2],
  },
  'a semaphore that has no room': {
    parts: {
      nodes: {
        each: { kind: 'map', parameters: { items: 'input', limit: 2 } },
        lock: { kind: 'semaphore', parent: 'each', parameters: { permits: 1, onFull: 'skip' } },
        long: { kind: 'delay', parent: 'lock', parameters: { amount: 500, unit: 'milliseconds' } },
      },
    },
    input: [1, 2],
  },
  'a semaphore that lets in one item at a time': {
    parts: {
      nodes: {
        each: { kind: 'map', parameters: { items: 'input', limit: 2 } },
        lock: { kind: 'semaphore', parent: 'each', parameters: { permits: 1 } },
        work: { kind: 'transform', parent: 'lock', parameters: { expression: 'item * 2' } },
      },
    },
    input: [1, 2],
  },
  'limits and pools': {
    parts: {
      nodes: {
        a: {
          ...transform('1'),
          concurrency: { running: 'TASK', limit: 1, onFull: 'reroute' },
          timeout: { totalMs: 1_000 },
        },
        b: { ...transform('2'), concurrency: { running: 'TASK', limit: 1, onFull: 'reroute' } },
      },
      settings: { concurrency: { limit: 3 }, timeoutMs: 60_000 },
    },
  },
  'a result that stands for another item': {
    parts: {
      nodes: {
        each: { kind: 'map', parameters: { items: 'input', limit: 1 } },
        made: {
          kind: 'debug',
          parent: 'each',
          parameters: { produce: 'random', items: 1 },
          cache: { ttlMs: 60_000 },
        },
      },
    },
    input: [1, 1, 2],
  },
  'a run that ended after a step': {
    parts: {
      nodes: {
        look: { ...transform('{ "left": input }'), stopAfterIf: 'output.left = 0', redact: ['secret'] },
        wait: { kind: 'delay', parameters: { amount: 1, unit: 'hours' } },
        after: transform('1'),
      },
      edges: edgesOf('look>after'),
    },
    input: 0,
  },
  'a step that was tried again on a condition, and then not': {
    parts: {
      nodes: {
        call: {
          kind: 'debug',
          parameters: { failTimes: 9 },
          retry: { maxAttempts: 9, delayMs: 10, retryIf: 'run.attempt < 3' },
        },
      },
    },
  },
  'a run that ended after a step, as failed': {
    parts: { nodes: { look: { ...transform('1'), stopAfterIf: 'output = 1', stopAs: 'failed' } } },
  },
}
