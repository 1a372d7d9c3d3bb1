/** A permit that several took outside of a checkpoint is held until each of them has given it back. */

import { expect, test } from 'vitest'
import type { RawStore } from '../../src-engine/store/raw-store.ts'
import { start } from './story.ts'

/** A store of at least one partition, empty, and what ends it. */
export interface RawSubject {
  readonly name: string
  readonly open: () => Promise<{ readonly raw: RawStore; readonly dispose: () => Promise<void> }>
}

export function testTakers({ name, open }: RawSubject): void {
  test(`${name}: a permit is held until all who took it have given it back`, async () => {
    const { raw, dispose } = await open()
    try {
      const slot = { key: 'k', holder: 'a', limit: 1, expiresAt: null }
      const take = (by: string) => raw.takeSlots(0, { takes: [{ ...slot, by }], at: start })
      const give = (by?: string | null) =>
        raw.releaseSlots(0, [{ key: 'k', holder: 'a', ...(by === undefined ? {} : { by }) }])
      const holders = () => raw.load(0, 'slotHolders', { key: 'k' })
      expect(await take('x:1')).toMatchObject({ fresh: [{ holder: 'a', by: 'x:1' }] })
      expect(await take('y:1')).toEqual({ kind: 'taken', fresh: [] })
      // Asked twice it is taken once.
      await take('y:1')
      expect(await holders()).toEqual([{ ...slot, by: 'x:1,y:1' }])
      await give('x:1')
      // Nobody's take is not any taker's.
      await give(null)
      expect(await holders()).toEqual([{ ...slot, by: 'y:1' }])
      // Told again without a name it stays whose it is.
      await raw.takeSlots(0, { takes: [slot], at: start })
      expect(await holders()).toEqual([{ ...slot, by: 'y:1' }])
      await give('y:1')
      expect(await holders()).toEqual([])
      await raw.takeSlots(0, { takes: [slot], at: start })
      expect(await holders()).toEqual([slot])
      await take('y:2')
      await give('y:2')
      expect(await holders()).toEqual([slot])
      await take('y:3')
      await take('y:4')
      await give('-,y:4')
      expect(await holders()).toEqual([{ ...slot, by: 'y:3' }])
      await give('y:3')
      expect(await holders()).toEqual([])
      await give(null)
      await take('z:1')
      await give('z:1')
      expect(await holders()).toEqual([])
      await take('z:2')
      await give()
      expect(await holders()).toEqual([])
    } finally {
      await dispose()
    }
  })
}
