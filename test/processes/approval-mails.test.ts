/** A question by mail on an engine as it ships: a vault, a mail server, a restart; and it is answered in Sagasmith alone. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { ApprovalView } from '../../src-engine/protocol/approvals.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { composeEngine } from '../../src-engine/shell/compose-engine.ts'
import { loadSettings } from '../../src-engine/shell/config.ts'
import { createDataDirectory, dataDirectory } from '../../src-engine/shell/data-directory.ts'
import { quietLog } from '../../src-engine/shell/quiet-log.ts'
import { openVault } from '../../src-engine/shell/vault.ts'
import { documentOf, edgesOf } from '../engine/model/workflow-fixture.ts'
import { createAuthority } from '../support/certificates.ts'
import { createMailServers } from '../support/mail-server.ts'

const authority = createAuthority()

const document = (port: number) =>
  documentOf({
    nodes: {
      ask: {
        kind: 'approval',
        parameters: {
          ...{ title: 'Pay {{ input.amount }}?', mails: true, mailTo: 'ada@example.com' },
          ...{ mailFrom: 'shop@example.com', host: 'localhost', port, authority: authority.cert },
          ...{ user: 'me', password: '{{ secrets.MAIL_PASSWORD }}' },
        },
      },
      paid: { kind: 'transform', parameters: { expression: 'input.by' } },
    },
    edges: edgesOf('ask:approved>paid'),
    capabilities: { hosts: ['localhost'] },
  })

/** Resolves once what became of the mail stands on the question. */
function mailed(engine: Engine, runId: RunId): Promise<ApprovalView> {
  const { promise, resolve, reject } = Promise.withResolvers<ApprovalView>()
  const look = async (): Promise<void> => {
    const request = { runId, approver: null, after: null, limit: 10 }
    const [entry] = (await engine.approvals.list(request)).entries
    if (entry?.kind === 'approval' && entry.notices.length > 0) resolve(entry)
  }
  const stop = engine.follow({ runId, cursor: [], receive: () => void look().catch(reject) })
  return promise.finally(stop)
}

test('a mail tells of a question once, also over a restart; its answer is given in Sagasmith', async () => {
  const mail = createMailServers(authority.certify('localhost'))
  const root = mkdtempSync(join(tmpdir(), 'sagasmith-approval-mails-'))
  onTestFinished(async () => {
    await mail.close()
    rmSync(root, { recursive: true, force: true })
  })
  const port = await mail.start()
  const directory = dataDirectory(root)
  createDataDirectory(directory)
  const { values } = loadSettings({ flags: { data: root }, environment: {} })
  const vault = openVault({ directory, settings: values, clock: systemClock })
  await vault.set({ name: 'MAIL_PASSWORD', value: 'right', description: null, allow: null } as never)
  const open = async () => {
    const composed = await composeEngine({ directory, clock: systemClock, log: quietLog, vault })
    await composed.engine.start()
    return composed
  }
  const first = await open()
  const request = { document: document(port), input: { amount: 3 }, requestId: null, baseDirectory: null }
  const { runId } = await first.engine.startRun(request)
  const entry = await mailed(first.engine, runId)
  expect(entry.notices).toMatchObject([{ occasion: 'asked', to: 'ada@example.com', error: null }])
  expect(mail.arrived).toHaveLength(1)
  expect(mail.arrived[0]?.text).toContain('Subject: Pay 3?')
  await first.close()

  const second = await open()
  onTestFinished(second.close)
  const { invocationId, hash } = await mailed(second.engine, runId)
  const said = { answer: 'approve', values: null, comment: null, by: 'ada' } as const
  await second.engine.approvals.decide({ runId, invocationId, hash, ...said })
  const run = await second.engine.waitForRun(runId)
  expect(run.status).toBe('SUCCEEDED')
  expect(mail.arrived).toHaveLength(1)
})
