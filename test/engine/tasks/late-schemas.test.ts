/** Schemas of kinds are made when they are asked for: all of them take longer than a run of ten steps. */

import { expect, test, vi } from 'vitest'
import { config } from 'zod'

test('to know the kinds of steps and triggers makes hardly any of their schemas', async () => {
  // Other tests in this process may have asked for them.
  vi.resetModules()
  let made = 0
  config({
    postProcessor: () => {
      made += 1
    },
  })
  try {
    const { taskSpecs } = await import('../../../src-engine/tasks/specs.ts')
    const { triggerSpecs } = await import('../../../src-engine/triggers/specs.ts')
    const specs = [...Object.values(taskSpecs), ...Object.values(triggerSpecs)]
    const atFirst = made
    for (const spec of specs) expect(spec.parameters).toBe(spec.parameters)
    expect(specs.length).toBeGreaterThan(50)
    expect(made).toBeGreaterThan(2_000)
    expect(atFirst).toBeLessThan(made / 10)
  } finally {
    config({ postProcessor: undefined })
  }
})
