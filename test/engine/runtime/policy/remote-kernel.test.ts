/** Asking a kernel over HTTP, and what of its settings is refused. */

import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { defaultEngineSettings } from '../../../../src-engine/model/settings/engine-settings.ts'
import { loadSettings } from '../../../../src-engine/shell/config.ts'
import { safetyKernelOf } from '../../../../src-engine/shell/safety-kernel.ts'
import { stepRequest } from '../../model/policy/request.ts'
import { temporaryFolder } from '../../shell/shell-fixtures.ts'

interface Heard {
  readonly authorization: string | undefined
  readonly body: unknown
}

/** A kernel that answers with this status and text. */
async function kernelThat(
  status: number,
  text: string,
): Promise<{ readonly url: string; readonly heard: Heard[] }> {
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      heard.push({ authorization: request.headers.authorization, body: JSON.parse(body) })
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/decide`, heard }
}

const settingsOf = (environment: Record<string, string>) => loadSettings({ flags: {}, environment }).values

const kernelOf = (environment: Record<string, string>) => {
  const { safetyKernel } = safetyKernelOf(settingsOf(environment))
  if (safetyKernel === undefined) throw new Error('there is no kernel')
  return safetyKernel
}

const never = new AbortController().signal

it('safety_kernel_url, safety_kernel_token: sends the request with the token, and reads the answer', async () => {
  const { url, heard } = await kernelThat(
    200,
    '{"decision":"allow","constraints":{"maxRetries":2},"ruleId":"r"}',
  )
  const kernel = kernelOf({ SAFETY_KERNEL_URL: url, SAFETY_KERNEL_TOKEN: 'secret' })
  const request = stepRequest({ labels: { env: 'prod' } })
  const { answer, isUnknown } = await kernel.ask(request, never)
  expect({ ...answer, isUnknown }).toMatchObject({
    decision: 'ALLOW_WITH_CONSTRAINTS',
    constraints: { maxRetries: 2 },
    ruleId: 'r',
    isUnknown: false,
  })
  expect(heard).toEqual([{ authorization: 'Bearer secret', body: request }])
})

it.for([
  { name: 'an error status', status: 500, text: '{"decision":"ALLOW"}' },
  { name: 'no JSON', status: 200, text: 'ALLOW' },
  { name: 'JSON of another form', status: 200, text: '{"allow":true}' },
  { name: 'too much', status: 200, text: JSON.stringify({ decision: 'ALLOW', more: 'x'.repeat(100_000) }) },
])('takes $name for no answer', async ({ status, text }) => {
  const { url } = await kernelThat(status, text)
  await expect(kernelOf({ SAFETY_KERNEL_URL: url }).ask(stepRequest(), never)).rejects.toMatchObject({
    code: 'safety_unavailable',
  })
})

it('is told to stop by its signal', async () => {
  const { url } = await kernelThat(200, '{"decision":"ALLOW"}')
  const stopped = AbortSignal.abort(new Error('late'))
  await expect(kernelOf({ SAFETY_KERNEL_URL: url }).ask(stepRequest(), stopped)).rejects.toMatchObject({
    code: 'safety_unavailable',
  })
})

it('doesn’t exist where no address is set', () => {
  expect(safetyKernelOf(settingsOf({}))).toEqual({})
  expect(safetyKernelOf(undefined)).toEqual({})
})

it('safety_kernel_tls_required: refuses an address without TLS', () => {
  const environment = { SAFETY_KERNEL_URL: 'http://kernel.example', SAFETY_KERNEL_TLS_REQUIRED: 'true' }
  expect(() => kernelOf(environment)).toThrow('has no TLS')
  expect(kernelOf({ ...environment, SAFETY_KERNEL_URL: 'https://kernel.example' })).toBeDefined()
})

it('safety_kernel_tls_ca, safety_kernel_insecure: certificates that can’t be read are named', () => {
  const environment = { SAFETY_KERNEL_URL: 'https://kernel.example', SAFETY_KERNEL_TLS_CA: '/nowhere/ca.pem' }
  expect(() => kernelOf(environment)).toThrow('/nowhere/ca.pem')
  expect(
    kernelOf({ SAFETY_KERNEL_URL: 'https://kernel.example', SAFETY_KERNEL_INSECURE: 'yes' }),
  ).toBeDefined()
})

it('policy_check_fail_mode: the environment beats the file, and anything but open is closed [C22]', () => {
  const file = join(temporaryFolder(), 'config.json')
  const modeOf = (environment: Record<string, string>, configured: string | null = null) => {
    if (configured !== null) writeFileSync(file, JSON.stringify({ policy_check_fail_mode: configured }))
    const place = configured === null ? {} : { SAGASMITH_CONFIG: file }
    return loadSettings({ flags: {}, environment: { ...environment, ...place } }).engine.policyCheckFailMode
  }
  expect(defaultEngineSettings.policyCheckFailMode).toBe('closed')
  expect(modeOf({ POLICY_CHECK_FAIL_MODE: 'open' })).toBe('open')
  expect(modeOf({ POLICY_CHECK_FAIL_MODE: 'opne' })).toBe('closed')
  expect(modeOf({})).toBe('closed')
  expect(modeOf({}, 'open')).toBe('open')
  expect(modeOf({ POLICY_CHECK_FAIL_MODE: 'closed' }, 'open')).toBe('closed')
  expect(modeOf({ POLICY_CHECK_FAIL_MODE: 'open' }, 'closed')).toBe('open')
})
