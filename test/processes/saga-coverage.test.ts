/** What a workflow would leave behind, told from its file and from those of the workflows that its steps start. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { sagasmith } from './sagasmith.ts'

test('validate --saga looks into the workflows that steps start, by path and by id', async () => {
  const folder = temporaryFolder()
  const put = (id: string, nodes: object): string => {
    const path = join(folder, `${id}.json`)
    const head = { format: 'sagasmith.workflow', schemaVersion: 1, id, title: `The ${id}` }
    writeFileSync(path, JSON.stringify({ ...head, nodes, edges: {} }))
    return path
  }
  const calls = (workflow: string, rest: object = {}) => ({
    kind: 'sub-workflow',
    parameters: { workflow, ...rest },
  })
  put('invoice', {
    mail: { kind: 'write-file', title: 'Mail', parameters: { path: 'sent', content: 'yes' } },
  })
  put('billing', { bill: calls('./invoice.json') })
  const path = put('order', {
    bill: calls('billing'),
    alone: calls('invoice', { mode: 'start' }),
    other: calls('gone'),
  })
  const { code, lines } = await sagasmith(join(folder, 'd'), 'validate', path, '--saga')
  expect(code).toBe(0)
  const effects = lines.filter(({ type }) => type === 'saga.effect')
  expect(effects).toMatchObject([
    {
      nodeId: 'bill',
      plan: 'missing',
      inside: [
        { workflowId: 'billing', workflow: 'The billing', nodeId: 'bill', title: 'bill' },
        { workflowId: 'invoice', workflow: 'The invoice', nodeId: 'mail', title: 'Mail' },
      ],
    },
    { nodeId: 'alone', plan: 'apart', inside: [{ nodeId: 'mail' }] },
  ])
  expect(lines.at(-1)).toEqual({
    type: 'saga.coverage',
    ...{ effects: 2, undoable: 0, rollsBack: true, unknown: ['other'] },
  })
})
