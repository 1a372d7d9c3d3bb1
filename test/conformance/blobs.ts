/** Large payloads: stored once, by their content. */

import { describe, expect, test } from 'vitest'
import { blobHash } from '../../src-engine/model/ids.ts'
import { blobBytesMax } from '../../src-engine/model/limits.ts'
import type { StoreSubject } from './scene.ts'
import { useScene } from './scene.ts'

export function blobSuite(subject: StoreSubject): void {
  describe('blobs', () => {
    const scene = useScene(subject)

    test('bytes come back as they were, under the hash of their content [P51]', async () => {
      const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251)
      const name = await scene.store.putBlob(bytes)
      expect(name).toMatch(/^[0-9a-f]{64}$/)
      expect(await scene.store.putBlob(bytes)).toBe(name)
      expect(Buffer.from(await scene.store.getBlob(name)).equals(bytes)).toBe(true)
      expect(await scene.store.putBlob(new Uint8Array())).toBe(
        'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      )
    })

    test('the same bytes may be put many times at once [P51]', async () => {
      for (let round = 0; round < 10; round += 1) {
        const bytes = Uint8Array.from({ length: 5_000 }, (_, index) => (index + round) % 251)
        const names = await Promise.all(Array.from({ length: 8 }, () => scene.store.putBlob(bytes)))
        expect(new Set(names).size).toBe(1)
      }
    })

    test('a blob that is not there is told as missing [P51]', async () => {
      await expect(scene.store.getBlob(blobHash('0'.repeat(64)))).rejects.toMatchObject({
        code: 'blob_missing',
      })
      await expect(scene.store.getBlob(blobHash('../../secret'))).rejects.toMatchObject({
        code: 'blob_missing',
      })
    })

    test('a blob that is dropped is gone at once, for every process; dropping it again changes nothing', async () => {
      const bytes = (count: number) => Uint8Array.from({ length: count }, (_, index) => index % 251)
      const [small, large] = [
        await scene.store.putBlob(bytes(10)),
        await scene.store.putBlob(bytes(1_200_000)),
      ]
      const other = await scene.store.putBlob(bytes(20))
      await scene.store.dropBlobs([small, large])
      await scene.store.dropBlobs([small, blobHash('0'.repeat(64)), blobHash('../../secret')])
      for (const name of [small, large])
        await expect(scene.other.getBlob(name)).rejects.toMatchObject({ code: 'blob_missing' })
      expect((await scene.other.getBlob(other)).byteLength).toBe(20)
      // It is like any other that was never there.
      expect(await scene.store.putBlob(bytes(1_200_000))).toBe(large)
      expect((await scene.other.getBlob(large)).byteLength).toBe(1_200_000)
    })

    test('more than the largest payload is refused [P51]', async () => {
      const bytes = new Uint8Array(blobBytesMax + 1)
      await expect(scene.store.putBlob(bytes)).rejects.toMatchObject({ code: 'payload_too_large' })
    })
  })
}
