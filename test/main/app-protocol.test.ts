import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appProtocolHandler } from '../../src-main/app-protocol.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = temporaryFolder()
const folder = join(root, 'renderer')
mkdirSync(join(folder, 'assets'), { recursive: true })
mkdirSync(join(root, 'renderer-secret'))
writeFileSync(join(folder, 'index.html'), '<html><head></head><p>hi</p></html>')
writeFileSync(join(folder, 'assets', 'app.js'), 'export {}')
writeFileSync(join(root, 'secret.txt'), 'secret')
writeFileSync(join(root, 'renderer-secret', 'x.txt'), 'secret')

const serve = appProtocolHandler(folder)

test('files below the folder are served with their type', async () => {
  const page = await serve(new Request('app://sagasmith/index.html'))
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const script = await serve(new Request('app://sagasmith/assets/app.js'))
  expect(await script.text()).toBe('export {}')
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
})

test('the root is the start page', async () => {
  expect(await (await serve(new Request('app://sagasmith/'))).text()).toContain('<p>hi</p>')
})

test('each page gets a nonce of its own, the same in header and page', async () => {
  const nonces = await Promise.all(
    [1, 2].map(async () => {
      const page = await serve(new Request('app://sagasmith/index.html'))
      const policy = page.headers.get('content-security-policy') ?? ''
      const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
      expect(await page.text()).toContain(`content="${nonce}"`)
      return nonce
    }),
  )
  expect(nonces[0]).not.toBe(nonces[1])
  expect(nonces[0]?.length).toBeGreaterThan(20)
})

test('the policy allows neither inline scripts nor evaluation, and no other origin', async () => {
  const policy = (await serve(new Request('app://sagasmith/index.html'))).headers.get(
    'content-security-policy',
  )
  expect(policy).toContain("default-src 'self'")
  expect(policy).toContain("object-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|http|\*/)
})

const outside: readonly string[] = [
  'app://other/index.html',
  'app://sagasmith/../secret.txt',
  'app://sagasmith/%2e%2e/secret.txt',
  'app://sagasmith/%2e%2e%2fsecret.txt',
  'app://sagasmith/..%2frenderer-secret%2fx.txt',
  'app://sagasmith/assets/..%5c..%5csecret.txt',
  'app://sagasmith/index.html%00.js',
  'app://sagasmith/%E0%A4%A',
  'app://sagasmith/missing.js',
  'app://sagasmith/assets',
]

test.for(outside)('%s is not found', async (url) => {
  expect((await serve(new Request(url))).status).toBe(404)
})

test('only reading is possible', async () => {
  expect((await serve(new Request('app://sagasmith/index.html', { method: 'POST', body: 'x' }))).status).toBe(
    405,
  )
})
