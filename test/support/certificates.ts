/** Certificates of an authority that only a test knows, made as it runs: no file, no tool, nothing that expires. */

import type { KeyObject } from 'node:crypto'
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** In PEM. */
export interface Certified {
  readonly cert: string
  readonly key: string
}

/** An authority, which certifies servers of hosts: names, or IPv4 addresses. */
export interface Authority {
  readonly cert: string
  readonly certify: (host: string) => Certified
}

const tag = {
  integer: 2,
  bits: 3,
  octets: 4,
  oid: 6,
  utf8: 12,
  sequence: 0x30,
  set: 0x31,
  time: 0x17,
} as const

/** One value in DER. */
function der(kind: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([kind, ...length]), content])
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(tag.sequence, ...parts)
const oid = (...bytes: readonly number[]): Buffer => der(tag.oid, Buffer.from(bytes))

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const basicConstraints = oid(0x55, 0x1d, 0x13)
const subjectAltName = oid(0x55, 0x1d, 0x11)
const isTrue = der(1, Buffer.from([255]))
/** From 2020 to 2049. */
const validity = sequence(
  ...['200101000000Z', '491231235959Z'].map((text) => der(tag.time, Buffer.from(text))),
)

const nameOf = (text: string): Buffer =>
  sequence(der(tag.set, sequence(oid(0x55, 0x04, 0x03), der(tag.utf8, Buffer.from(text)))))

const pemOf = (bytes: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(bytes).toString('base64')}\n-----END CERTIFICATE-----\n`

function extension(of: { readonly host: string } | 'authority'): Buffer {
  if (of === 'authority') return sequence(basicConstraints, isTrue, der(tag.octets, sequence(isTrue)))
  const { host } = of
  const isAddress = /^[0-9.]+$/.test(host)
  const name = isAddress ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host))
  return sequence(subjectAltName, der(tag.octets, sequence(name)))
}

function certificate(made: {
  readonly subject: string
  readonly issuer: string
  readonly publicKey: KeyObject
  readonly signedBy: KeyObject
  readonly extension: Buffer
}): string {
  const serial = der(tag.integer, Buffer.concat([Buffer.from([1]), randomBytes(8)]))
  const version = der(0xa0, der(tag.integer, Buffer.from([2])))
  const body = sequence(
    ...[version, serial, ecdsaWithSha256, nameOf(made.issuer), validity, nameOf(made.subject)],
    made.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(made.extension)),
  )
  const signature = sign('sha256', body, made.signedBy)
  return pemOf(sequence(body, ecdsaWithSha256, der(tag.bits, Buffer.from([0]), signature)))
}

/** A new authority; what one has certified, another doesn't vouch for. */
export function createAuthority(name = 'Authority of a test'): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const cert = certificate({
    ...{ subject: name, issuer: name, publicKey: own.publicKey, signedBy: own.privateKey },
    extension: extension('authority'),
  })
  const certify = (host: string): Certified => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const made = { subject: host, issuer: name, publicKey, signedBy: own.privateKey }
    return {
      cert: certificate({ ...made, extension: extension({ host }) }),
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    }
  }
  return { cert, certify }
}
