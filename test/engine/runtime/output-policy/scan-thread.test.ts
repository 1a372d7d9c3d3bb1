/** The thread that looks into results: none may take longer than it may, and none takes the others along. */

import { afterEach, expect, it } from 'vitest'
import type { OutputPolicy } from '../../../../src-engine/model/output/output-policy.ts'
import { readOutputPolicy } from '../../../../src-engine/model/output/output-policy.ts'
import { engineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'
import type { OutputScanner, ScanRequest } from '../../../../src-engine/runtime/output-policy/scan-message.ts'
import { createThreadScanner } from '../../../../src-engine/runtime/output-policy/scan-thread.ts'
import { systemClock } from '../../../../src-engine/runtime/system-ports.ts'
import { secretKey } from './output-scene.ts'

const open: OutputScanner[] = []
afterEach(async () => {
  for (const scanner of open.splice(0)) await scanner.close()
})

function scannerOf(limitMs: number): OutputScanner {
  const { outputScanTimeoutMs } = engineSettings({ outputScanTimeoutMs: limitMs })
  const scanner = createThreadScanner({ clock: systemClock, limitMs: outputScanTimeoutMs })
  open.push(scanner)
  return scanner
}

function policyOf(match: {
  readonly scanners?: string[]
  readonly contentPatterns?: string[]
}): OutputPolicy {
  const { policy } = readOutputPolicy({ rules: [{ id: 'r', decision: 'quarantine', match }] })
  if (policy === null) throw new Error('the policy has mistakes')
  return policy
}

const meta: ScanRequest['meta'] = {
  tenant: 'local',
  workflow: 'w',
  node: 'a',
  kind: 'transform',
  capabilities: [],
  nodeTags: [],
  runTags: [],
  bytes: 10,
  contentType: 'application/json',
  hasError: false,
}

const request = (hash: string, policy: OutputPolicy, value: string): ScanRequest => {
  return { policy, hash, meta, json: JSON.stringify(value) }
}

const secrets = request('secrets', policyOf({ scanners: ['secret'] }), secretKey)

it('finds what is there, one result after the other', async () => {
  const scanner = scannerOf(30_000)
  const answers = await Promise.all(
    [secrets, { ...secrets, json: '"nothing"' }, secrets].map(scanner.scan.bind(scanner)),
  )
  expect(answers.map(({ decision }) => decision)).toEqual(['quarantine', 'allow', 'quarantine'])
})

it('a scan that takes too long fails alone, and its thread is replaced', async () => {
  const scanner = scannerOf(2_000)
  // Allowed by its form, and far too slow on this text all the same.
  const slow = request('slow', policyOf({ contentPatterns: ['a*a*a*a*a*b'] }), 'a'.repeat(20_000))
  const [first, second] = await Promise.allSettled([scanner.scan(slow), scanner.scan(secrets)])
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'output_scan_too_slow' } })
  expect(second).toMatchObject({ status: 'fulfilled', value: { decision: 'quarantine' } })
})

it('what can’t be scanned is told, and a scanner that is closed scans no more', async () => {
  const scanner = scannerOf(30_000)
  await expect(scanner.scan({ ...secrets, json: '{' })).rejects.toMatchObject({ code: 'output_scan_failed' })
  const scanning = scanner.scan(secrets).catch((thrown: unknown) => thrown)
  await scanner.close()
  expect(await scanning).toMatchObject({ code: 'engine_stopped' })
})
