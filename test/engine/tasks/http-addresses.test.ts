/** Where requests may go: every way to write an address that isn't public, and names that change their mind. */

import { describe, expect, test } from 'vitest'
import { destinationOf, webAddress } from '../../../src-engine/tasks/http-request/destination.ts'
import { isPublicAddress } from '../../../src-engine/tasks/http-request/public-address.ts'
import { taskContext, thrownBy } from '../../support/task-context.ts'

const lookupTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
const reach = async (url: string, addresses: string[] = ['93.184.215.14'], approvedHosts: string[] = []) =>
  destinationOf(webAddress(url), taskContext({ approvedHosts }), { lookup: lookupTo(...addresses) })

describe('written in the address', () => {
  test.for([
    'http://127.0.0.1',
    'http://127.1',
    'http://127.0.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://0x7f.0.0.1',
    'http://0177.0.0.1',
    'http://017700000001',
    'http://127.0.0.1:80',
    'http://127.255.255.254',
    'http://0',
    'http://0.0.0.0',
    'http://0x0',
    'http://00000',
    'http://①②⑦.⓪.⓪.①',
    'http://127。0。0。1',
    'http://%31%32%37.0.0.1',
    'http://127.0.0.1.',
    'http://10.0.0.1',
    'http://10.255.255.255',
    'http://167772161',
    'http://172.16.0.1',
    'http://172.31.255.255',
    'http://192.168.0.1',
    'http://0xc0a80001',
    'http://169.254.169.254',
    'http://2852039166',
    'http://0xA9FEA9FE',
    'http://0251.0376.0251.0376',
    'http://100.64.0.1',
    'http://100.127.255.255',
    'http://192.0.0.1',
    'http://192.0.2.1',
    'http://198.18.0.1',
    'http://198.51.100.7',
    'http://203.0.113.9',
    'http://224.0.0.1',
    'http://240.0.0.1',
    'http://255.255.255.255',
    'http://[::1]',
    'http://[::]',
    'http://[0:0:0:0:0:0:0:1]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:7f00:1]',
    'http://[::ffff:a9fe:a9fe]',
    'http://[::127.0.0.1]',
    'http://[64:ff9b::7f00:1]',
    'http://[64:ff9b::10.0.0.1]',
    'http://[64:ff9b:1::a00:1]',
    'http://[2002:7f00:1::]',
    'http://[2002:a00:1::1]',
    'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    'http://[fc00::1]',
    'http://[fd00:ec2::254]',
    'http://[fe80::1]',
    'http://[fec0::1]',
    'http://[ff02::1]',
    'http://[2001:db8::1]',
    'http://[3fff::1]',
    'http://[5f00::1]',
    'http://[100::1]',
    'https://127.0.0.1',
    'http://[::ffff:0:127.0.0.1]',
  ])('%s is denied', async (url) => {
    expect(await thrownBy(() => reach(url))).toMatchObject({ code: 'http_address_denied', retryable: false })
  })

  test.for([
    'http://93.184.215.14',
    'http://8.8.8.8',
    'http://[2606:4700::1111]',
    'http://[64:ff9b::808:808]',
    'http://172.32.0.1',
  ])('%s is public', async (url) => {
    expect((await reach(url)).url.href).toBe(new URL(url).href)
  })
})

describe('behind a name', () => {
  test.for([
    ['127.0.0.1'],
    ['::1'],
    ['10.1.2.3'],
    ['169.254.169.254'],
    ['::ffff:10.0.0.1'],
    ['fd12::1'],
    ['93.184.215.14', '127.0.0.1'],
    ['2606:4700::1111', 'fe80::1'],
    ['0.0.0.0'],
    ['not an address'],
    ['fe80::1%eth0'],
  ])('%o is denied', async (addresses) => {
    expect(await thrownBy(() => reach('http://example.com/', addresses))).toMatchObject({
      code: 'http_address_denied',
      hint: expect.stringContaining('example.com'),
    })
  })

  test('the words name the address once, and where it is allowed', async () => {
    const words = (url: string, addresses?: string[]) => thrownBy(() => reach(url, addresses))
    expect(await words('http://127.0.0.1/')).toMatchObject({
      message: '“127.0.0.1” is not on the public internet.',
      hint: 'If you trust it, add “127.0.0.1” under “Private hosts” in the workflow’s settings (capabilities.hosts).',
    })
    expect(await words('http://example.com/', ['10.0.0.7'])).toMatchObject({
      message: '“example.com” leads to 10.0.0.7, which is not on the public internet.',
    })
  })

  test('the connection gets the addresses that were checked, and no others', async () => {
    let asked = 0
    const turncoat = async () => {
      asked += 1
      return [{ address: asked === 1 ? '93.184.215.14' : '127.0.0.1', family: 4 }]
    }
    const destination = await destinationOf(webAddress('http://turncoat.example/'), taskContext(), {
      lookup: turncoat,
    })
    expect(destination.addresses).toEqual([{ address: '93.184.215.14', family: 4 }])
    expect(asked).toBe(1)
  })

  test('a name that has none can’t be reached', async () => {
    expect(await thrownBy(() => reach('http://nowhere.example/', []))).toMatchObject({
      code: 'http_unreachable',
    })
    const failing = async () => Promise.reject(new Error('ENOTFOUND'))
    const work = () =>
      destinationOf(webAddress('http://nowhere.example/'), taskContext(), { lookup: failing })
    expect(await thrownBy(work)).toMatchObject({ code: 'http_unreachable', retryable: true })
  })
})

describe('approved by the owner', () => {
  test.for<[string, string[], boolean]>([
    ['http://localhost:8080/', ['localhost'], true],
    ['http://localhost:8080/', ['LOCALHOST:8080'], true],
    ['http://localhost:8081/', ['localhost:8080'], false],
    ['https://localhost/', ['localhost:443'], true],
    ['http://evil-localhost/', ['localhost'], false],
    ['http://localhost.evil.example/', ['localhost'], false],
    ['http://[::1]/', ['[::1]'], true],
    ['http://127.0.0.1/', ['127.0.0.1'], true],
    ['http://127.0.0.2/', ['127.0.0.1'], false],
  ])('%s with %o: %s', async ([url, approved, isReached]) => {
    const outcome = await reach(url, ['127.0.0.1'], approved).catch((thrown: unknown) => thrown)
    if (isReached) expect(outcome).toHaveProperty('target')
    else expect(outcome).toMatchObject({ code: 'http_address_denied' })
  })
})

test.for([
  'file:///etc/passwd',
  'ftp://example.com',
  'javascript:alert(1)',
  'data:,x',
  '//example.com',
  'example.com/x',
  '',
  'http://',
  'http://user:pw@example.com',
  'http://exa mple.com',
])('%o is no address for a request', async (url) => {
  expect(await thrownBy(() => reach(url))).toMatchObject({
    code: 'task_input_invalid',
    details: { field: 'url' },
  })
})

test('what isn’t an address at all isn’t public', () => {
  expect(['', 'localhost', '1.2.3', '::g', '1.2.3.4.5'].some(isPublicAddress)).toBe(false)
})
