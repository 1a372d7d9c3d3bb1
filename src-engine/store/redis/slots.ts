/** Which of the 16,384 slots of a cluster a hash tag belongs to. */

const slotCount = 16_384
const polynomial = 0x1021

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 8
  for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ (value & 0x8000 ? polynomial : 0)
  return value & 0xffff
})

/** CRC-16/XMODEM of the tag (what stands between the braces), as Redis Cluster counts it. */
export function slotOf(tag: string): number {
  let sum = 0
  for (const byte of Buffer.from(tag)) sum = ((sum << 8) ^ (table[((sum >> 8) ^ byte) & 0xff] ?? 0)) & 0xffff
  return sum % slotCount
}
