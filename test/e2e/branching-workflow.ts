/**
 * The five-node workflow that specs draw by hand: a step that fails once and is tried again, a question, a
 * wait on one way, a step on the way not taken, and a last step where both ways meet.
 */

import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import {
  card,
  connect,
  dragTask,
  expectNoProblems,
  openNode,
  recordedStates,
  typeInto,
  unfold,
} from './designer-driver.ts'

export const nodesOfBranching = ['debug', 'if', 'delay', 'transform', 'log'] as const

/** Draws it on an empty canvas, with the mouse. */
export async function drawBranching(page: Page): Promise<void> {
  const drawn = [
    await dragTask(page, 'debug', { x: 140, y: 120 }),
    await dragTask(page, 'if', { x: 140, y: 330 }),
    await dragTask(page, 'delay', { x: 440, y: 160 }),
    await dragTask(page, 'transform', { x: 440, y: 440 }),
    await dragTask(page, 'log', { x: 640, y: 300 }),
  ]
  expect(drawn).toEqual(nodesOfBranching)
  await connect(page, { node: 'debug' }, 'if')
  await connect(page, { node: 'if', port: 'true' }, 'delay')
  await connect(page, { node: 'if', port: 'false' }, 'transform')
  await connect(page, { node: 'delay' }, 'log')
  await connect(page, { node: 'transform' }, 'log')
}

/** Fills in what each step does. */
export async function fillBranching(page: Page): Promise<void> {
  await openNode(page, 'debug')
  await typeInto(page, 'parameters.failTimes', '1')
  await typeInto(page, 'parameters.sleepMs', '0.4')
  await typeInto(page, 'parameters.produce', 'value')
  await typeInto(page, 'parameters.value', '{"total": 42}')
  await openNode(page, 'debug', 'Settings')
  await unfold(page, 'Retry')
  await typeInto(page, 'retry.maxAttempts', '3')
  await typeInto(page, 'retry.backoff', 'fixed')
  await openNode(page, 'if')
  await typeInto(page, 'parameters.condition', 'input.total > 40')
  await openNode(page, 'transform')
  await typeInto(page, 'parameters.expression', '{ "total": 0 }')
  await openNode(page, 'log')
  await typeInto(page, 'parameters.message', 'The total is {{ nodes.debug.output.total }}.')
  await expectNoProblems(page)
}

/** What every card says once the run is over. */
export async function expectBranchingDone(page: Page): Promise<void> {
  for (const node of ['debug', 'if', 'delay', 'log']) {
    await expect(card(page, node)).toHaveAttribute('data-status', 'SUCCESS')
  }
  await expect(card(page, 'transform')).toHaveAttribute('data-status', 'SKIPPED')
}

/** What the cards said while it ran; needs `recordStates` before. */
export async function expectBranchingWasSeen(page: Page): Promise<void> {
  const failing = await recordedStates(page, 'debug')
  expect(failing).toEqual(expect.arrayContaining(['Running', 'Backing off', 'Done']))
  // On a busy machine an attempt may begin and end within one frame: one of the two was seen running at least.
  expect(failing.at(-1)).toBe('Done')
  const waiting = await recordedStates(page, 'delay')
  expect(waiting.slice(-2)).toEqual(['Waiting', 'Done'])
  expect(await recordedStates(page, 'transform')).toEqual(['Skipped'])
  expect((await recordedStates(page, 'log')).at(-1)).toBe('Done')
}
