/** Approvals from the terminal: one process runs what asks, others look and decide. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { edgesOf } from '../engine/model/workflow-fixture.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { ended, endOf, linesOf, sagasmith, startProgram } from './sagasmith.ts'

/** A question with all its ways out, each into a step of its own. */
function scene() {
  const folder = temporaryFolder()
  const data = join(folder, 'd')
  const say = (text: string) => ({ kind: 'transform', parameters: { expression: JSON.stringify(text) } })
  const form = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] }
  const parameters = { title: 'Pay {{ input.n }}?', form, pushBack: true }
  const nodes = {
    ask: { kind: 'approval', parameters },
    yes: say('paid'),
    no: say('refused'),
    anew: say('asked for more'),
  }
  const edges = edgesOf('ask:approved>yes', 'ask:rejected>no', 'ask:changes>anew')
  const file = join(folder, 'w.json')
  const head = { format: 'sagasmith.workflow', schemaVersion: 1, id: 'w', title: 'W' }
  writeFileSync(file, JSON.stringify({ ...head, nodes, edges }))
  return { data, file }
}

/** Runs the workflow until somebody has decided, in a process of its own where nothing else is said; the last line of it. */
async function running(
  { data, file }: ReturnType<typeof scene>,
  end = (args: readonly string[]) => endOf(startProgram(args)),
): Promise<JsonObject | undefined> {
  const { out } = await end(['run', file, '--input', '{"n":7}', '--json', '--data', data])
  return linesOf(out).at(-1)
}

async function asked(data: string): Promise<{ readonly run: string; readonly hash: string }> {
  const entry = async () =>
    (await sagasmith(data, 'approvals', 'list')).lines.find(({ type }) => type === 'approval')
  await expect.poll(entry).toMatchObject({ kind: 'approval', title: 'Pay 7?', nodeId: 'ask' })
  const [run = '', hash = ''] = [(await entry())?.['runId'], (await entry())?.['hash']] as readonly string[]
  return { run, hash }
}

test('a question is listed, shown and approved with what its form asks for; the same again says so', async () => {
  const here = scene()
  const last = running(here)
  const { run, hash } = await asked(here.data)
  const approve = (...more: readonly string[]) =>
    sagasmith(here.data, 'approvals', 'approve', run, 'ask', '--as', 'ada', ...more)
  expect(await approve('--values', '{"amount":"much"}')).toMatchObject({
    code: 1,
    lines: [{ error: { code: 'approval_form_invalid' } }],
  })
  expect(await approve('--values', '{"amount":7}', '--hash', '0'.repeat(64))).toMatchObject({
    code: 1,
    lines: [{ error: { code: 'approval_stale' } }],
  })
  const values = ['--values', '{"amount":7}', '--comment', 'fine', '--hash', hash] as const
  expect((await approve(...values)).lines).toMatchObject([{ type: 'approval.decided', result: 'decided' }])
  expect(await last).toMatchObject({ status: 'SUCCEEDED', output: 'paid' })
  expect((await approve(...values)).lines).toMatchObject([{ result: 'already', by: 'ada' }])
  const { lines } = await sagasmith(here.data, 'audit', '--about', 'approval')
  expect(lines[0]).toMatchObject({ act: 'approved', by: 'ada', reason: 'fine', hash, nodeId: 'ask' })
})

test.each([
  ['reject', 'rejected', 'refused'],
  ['push-back', 'changes', 'asked for more'],
] as const)('what somebody answers by “%s” leaves by %s', async (word, outcome, output) => {
  const here = scene()
  const last = running(here, ended)
  const { run } = await asked(here.data)
  const said = await sagasmith(here.data, 'approvals', word, run, 'ask', '--as', 'bob', '--comment', 'not so')
  expect(said.lines).toMatchObject([{ type: 'approval.decided', outcome, by: 'bob', comment: 'not so' }])
  expect(await last).toMatchObject({ status: 'SUCCEEDED', output })
})
