/** Demands of registration control: who stands for one, and how two of them differ. */

import { describe, expect, it } from 'vitest'
import { differenceOf, isUnentered, standsFor } from '../../../../src-engine/core/permits/demand.ts'
import type { NodePermits } from '../../../../src-engine/core/permits/node-permits.ts'
import { compileNodePermits, resolvedPlan } from '../../../../src-engine/core/permits/node-permits.ts'
import { invocationId, nodeId, runId } from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import { invocationMachine } from '../../../../src-engine/model/invocation-status.ts'
import { newInvocation } from '../../../../src-engine/model/new-records.ts'
import type { ConcurrencyMode } from '../../../../src-engine/model/workflow.ts'

const permitsOf = (registration: ConcurrencyMode): NodePermits =>
  compileNodePermits(
    'flow/work',
    {
      kind: 'noop',
      concurrency: { registration, keys: ['key'] },
    },
    undefined,
  ) as NodePermits

const recordOf = (set: Partial<InvocationRecord>): InvocationRecord =>
  newInvocation({
    id: invocationId('r/work'),
    runId: runId('r'),
    nodeId: nodeId('work'),
    taskKind: 'noop',
    registeredAt: 1,
    cause: { kind: 'test', by: null, detail: null },
    ...set,
  })

describe('a demand', () => {
  const { plan } = permitsOf('KEYS')
  const entered = { ...plan, registration: { key: 'reg:flow/work:k' } }

  it('is open until its parameters are known', () => {
    expect(isUnentered(recordOf({ permits: plan }))).toBe(true)
    expect(isUnentered(recordOf({ permits: entered }))).toBe(false)
    expect(isUnentered(recordOf({ permits: plan, attempt: 1 }))).toBe(false)
    expect(isUnentered(recordOf({}))).toBe(false)
  })

  it('is stood for until the first attempt begins, or nothing will', () => {
    for (const status of invocationMachine.statuses) {
      const ends = invocationMachine.final.has(status) || status === 'WAITING'
      expect(standsFor(recordOf({ permits: entered, status }))).toBe(ends ? null : 'reg:flow/work:k')
    }
    expect(standsFor(recordOf({ permits: entered, status: 'RUNNING', attempt: 1 }))).toBeNull()
  })

  it('has a key by its mode [P15] [P16] [P17]', () => {
    const keyOf = (mode: ConcurrencyMode, parameters: { readonly [name: string]: number }) => {
      const permits = permitsOf(mode)
      return resolvedPlan(permits, permits.plan, { parameters, hash: (text) => text }).registration?.key
    }
    expect(keyOf('TASK', { key: 1, a: 2 })).toBe('reg:flow/work')
    expect(keyOf('ARGUMENTS', { key: 1, a: 2 })).toBe('reg:flow/work:{"a":2,"key":1}')
    expect(keyOf('KEYS', { key: 1, a: 2 })).toBe('reg:flow/work:{"key":1}')
  })
})

describe('the difference of two demands', () => {
  const first = { key: 1, same: [1], gone: null, size: 'small' }
  const later = { key: 2, same: [1], more: true, size: 'large' }

  it('leaves out what makes the demand what it is [P17]', () => {
    expect(differenceOf(permitsOf('KEYS'), first, later)).toEqual({
      added: { more: true },
      removed: { gone: null },
      changed: { size: { first: 'small', later: 'large' } },
    })
    expect(differenceOf(permitsOf('KEYS'), { ...first, key: 7 }, first)).toBeNull()
  })

  it('counts all by TASK, and none by ARGUMENTS [P15] [P16]', () => {
    expect(differenceOf(permitsOf('TASK'), first, later)?.changed).toHaveProperty('key')
    expect(differenceOf(permitsOf('ARGUMENTS'), first, later)).toBeNull()
  })

  it('shows long values shortened', () => {
    const long = 'x'.repeat(1_000)
    const difference = differenceOf(permitsOf('TASK'), {}, { long })
    expect(difference?.added['long']).toHaveLength(201)
  })
})
