/** Asking a kernel over TLS, for real: whom it is taken for, and who vouches for it. */

import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { loadSettings } from '../../../../src-engine/shell/config.ts'
import { safetyKernelOf } from '../../../../src-engine/shell/safety-kernel.ts'
import type { Authority } from '../../../support/certificates.ts'
import { createAuthority } from '../../../support/certificates.ts'
import { stepRequest } from '../../model/policy/request.ts'
import { temporaryFolder } from '../../shell/shell-fixtures.ts'

/** A kernel that denies, with a certificate for that host; its address, and how often it was asked. */
async function kernelFor(authority: Authority, host: string) {
  let asked = 0
  const server = createServer(authority.certify(host), (request, response) => {
    asked += 1
    request.resume()
    response.end('{"decision":"DENY","reason":"Not over TLS either."}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked: () => asked }
}

function fileOf({ cert }: Authority): string {
  const path = join(temporaryFolder(), 'ca.pem')
  writeFileSync(path, cert)
  return path
}

const ask = (environment: Record<string, string>) => {
  const { safetyKernel } = safetyKernelOf(loadSettings({ flags: {}, environment }).values)
  if (safetyKernel === undefined) throw new Error('there is no kernel')
  return safetyKernel.ask(stepRequest(), new AbortController().signal)
}

it('safety_kernel_tls_ca: a kernel that the authority vouches for is asked, also where TLS is required', async () => {
  const authority = createAuthority()
  const { url } = await kernelFor(authority, '127.0.0.1')
  const environment = {
    SAFETY_KERNEL_URL: url,
    SAFETY_KERNEL_TLS_CA: fileOf(authority),
    SAFETY_KERNEL_TLS_REQUIRED: 'true',
  }
  expect((await ask(environment)).answer).toMatchObject({
    decision: 'DENY',
    reason: 'Not over TLS either.',
  })
})

it('a kernel that nobody vouches for, or another authority does, is told nothing', async () => {
  const { url, asked } = await kernelFor(createAuthority(), '127.0.0.1')
  const unavailable = { code: 'safety_unavailable' }
  await expect(ask({ SAFETY_KERNEL_URL: url })).rejects.toMatchObject(unavailable)
  const other = fileOf(createAuthority())
  await expect(ask({ SAFETY_KERNEL_URL: url, SAFETY_KERNEL_TLS_CA: other })).rejects.toMatchObject(
    unavailable,
  )
  expect(asked()).toBe(0)
})

it('a kernel whose certificate is for another host is told nothing', async () => {
  const authority = createAuthority()
  const { url, asked } = await kernelFor(authority, 'kernel.example')
  const asking = ask({ SAFETY_KERNEL_URL: url, SAFETY_KERNEL_TLS_CA: fileOf(authority) })
  await expect(asking).rejects.toMatchObject({
    code: 'safety_unavailable',
    message: expect.stringContaining('127.0.0.1'),
  })
  expect(asked()).toBe(0)
})

it('safety_kernel_insecure: whoever answers is believed', async () => {
  const { url } = await kernelFor(createAuthority(), 'kernel.example')
  const environment = { SAFETY_KERNEL_URL: url, SAFETY_KERNEL_INSECURE: 'true' }
  expect((await ask(environment)).answer.decision).toBe('DENY')
})

it('certificates that aren’t any leave the kernel unasked', async () => {
  const { url, asked } = await kernelFor(createAuthority(), '127.0.0.1')
  const path = join(temporaryFolder(), 'ca.pem')
  writeFileSync(path, 'no certificate')
  const asking = ask({ SAFETY_KERNEL_URL: url, SAFETY_KERNEL_TLS_CA: path })
  await expect(asking).rejects.toMatchObject({ code: 'safety_unavailable' })
  expect(asked()).toBe(0)
})
