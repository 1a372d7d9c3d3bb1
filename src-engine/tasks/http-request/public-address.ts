/**
 * Which addresses belong to the public internet. Everything else (this machine, the local network, cloud
 * metadata, reserved ranges) is refused unless the workflow's owner named the host. Ranges: IANA's
 * special-purpose registries for IPv4 and IPv6.
 */

import { BlockList, isIP } from 'node:net'

const deniedV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Inside global unicast: protocol assignments with Teredo, documentation, 6to4. */
const deniedV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
const globalUnicastV6 = ['2000::/3']
/** Addresses that carry an IPv4 address in their last 32 bits, which then decides. */
const embeddingV6 = ['::ffff:0:0/96', '64:ff9b::/96']

const denied = blockList(deniedV4, deniedV6)
const globalUnicast = blockList([], globalUnicastV6)
const embedding = blockList([], embeddingV6)

/** Whether a request may go to this address without anybody's leave. False for what is not an address. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '')
  const family = isIP(bare)
  if (family === 4) return !denied.check(bare, 'ipv4')
  if (family !== 6 || bare !== address) return false
  if (embedding.check(bare, 'ipv6')) return isPublicAddress(embeddedV4(bare))
  return globalUnicast.check(bare, 'ipv6') && !denied.check(bare, 'ipv6')
}

function blockList(v4: readonly string[], v6: readonly string[]): BlockList {
  const list = new BlockList()
  const add = (range: string, family: 'ipv4' | 'ipv6') => {
    const [net = '', bits = ''] = range.split('/')
    list.addSubnet(net, Number(bits), family)
  }
  for (const range of v4) add(range, 'ipv4')
  for (const range of v6) add(range, 'ipv6')
  return list
}

/** The last 32 bits of an IPv6 address, dotted. */
function embeddedV4(address: string): string {
  const dotted = /(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  if (dotted !== undefined) return dotted
  // The parser of URLs writes every address in its shortest hexadecimal form.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group === '' ? '0' : group, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
