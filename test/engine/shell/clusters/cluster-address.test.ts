import { describe, expect, it } from 'vitest'
import {
  isClusterAddress,
  parseClusterAddress,
  withPasswordRenamed,
} from '../../../../src-engine/shell/clusters/cluster-address.ts'

describe('the address of a cluster', () => {
  it('is as short as a host', () => {
    expect(parseClusterAddress('redis://cache')).toEqual({
      nodes: [{ host: 'cache', port: 6_379 }],
      tls: false,
      username: null,
      workspace: 'sagasmith',
      durability: 'as-served',
      partitions: null,
      passwordSecret: null,
      caFile: null,
    })
  })

  it('names nodes, the user, the workspace and how writes count', () => {
    expect(
      parseClusterAddress(
        'rediss://ada@one:7000,[::1]:7001/plant-2?durability=fast&partitions=256&password=redis&ca=/ca.pem',
      ),
    ).toEqual({
      nodes: [
        { host: 'one', port: 7_000 },
        { host: '::1', port: 7_001 },
      ],
      tls: true,
      username: 'ada',
      workspace: 'plant-2',
      durability: 'fast',
      partitions: 256,
      passwordSecret: 'redis',
      caFile: '/ca.pem',
    })
  })

  it('never holds a password, and an error doesn’t tell it again', () => {
    expect(() => parseClusterAddress('redis://ada:hunter2@one')).toThrow(
      expect.objectContaining({
        code: 'cluster_address_invalid',
        message: expect.not.stringContaining('hunter2') as string,
        hint: expect.stringContaining('secrets set') as string,
      }),
    )
  })

  it.each([
    ['http://one', 'another form'],
    ['redis://one:0', 'HOST:PORT'],
    ['redis://one:99999', 'HOST:PORT'],
    ['redis://one,', 'HOST:PORT'],
    ['redis://one/a b', 'workspace'],
    ['redis://one/{x}', 'workspace'],
    ['redis://one?durability=most', 'safe or fast'],
    ['redis://one?partitions=0', '1 to 4096'],
    ['redis://one?partitions=many', '1 to 4096'],
    ['redis://one?timeout=3', 'no option'],
  ])('%s is refused: %s', (text, words) => {
    expect(() => parseClusterAddress(text)).toThrow(words)
  })

  it('is told from a path', () => {
    expect(isClusterAddress('redis://one')).toBe(true)
    expect(isClusterAddress('rediss://one')).toBe(true)
    expect(isClusterAddress('sqlite:/tmp/x')).toBe(false)
    expect(isClusterAddress('plant')).toBe(false)
  })
})

it('names its password anew, and only that of the name that was given', () => {
  const names = { from: 'OLD', to: 'NEW' }
  expect(withPasswordRenamed('redis://one,two/shop?password=OLD&durability=fast', names)).toBe(
    'redis://one,two/shop?password=NEW&durability=fast',
  )
  const odd = withPasswordRenamed('rediss://one?ca=/certs/a?b.pem&password=OLD', names)
  expect(parseClusterAddress(odd)).toMatchObject({ caFile: '/certs/a?b.pem', passwordSecret: 'NEW' })
  for (const address of ['redis://one', 'redis://one?password=OLDER', 'redis://OLD/OLD', 'one?password=OLD'])
    expect(withPasswordRenamed(address, names)).toBe(address)
})
