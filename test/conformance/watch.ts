/** Watching and closing: hints reach everyone who may have missed something. */

import { describe, expect, test } from 'vitest'
import type { StoreSubject } from './scene.ts'
import { accept, refuse, useScene } from './scene.ts'
import { aClaim, anInvocation, aRun, starting } from './story.ts'

export function watchSuite(subject: StoreSubject): void {
  describe('watch', () => {
    const scene = useScene(subject)

    test('a commit and a claim give a hint, in every place that has the data open [S42]', async () => {
      let hints = 0
      let hintsElsewhere = 0
      scene.store.watch(0, () => (hints += 1))
      const origins = new Set<string>()
      scene.store.watch(0, (origin) => origins.add(origin))
      const stop = scene.other.watch(0, () => (hintsElsewhere += 1))
      const run = aRun()
      await accept(scene.store, starting(run, [anInvocation(run, 'n')]))
      await scene.opened.poll()
      await Promise.resolve()
      expect([hints > 0, hintsElsewhere > 0]).toEqual([true, true])
      expect(origins).toContain('own')
      const before = hints
      stop()
      hintsElsewhere = 0
      expect((await scene.store.claim(aClaim('a'))).claimed).toHaveLength(1)
      await scene.opened.poll()
      await Promise.resolve()
      expect([hints > before, hintsElsewhere]).toEqual([true, 0])
    })

    test('a refusal gives no hint [S42]', async () => {
      await accept(scene.store, starting(aRun()))
      await Promise.resolve()
      let hints = 0
      scene.store.watch(0, () => (hints += 1))
      await refuse(scene.store, starting(aRun()))
      await Promise.resolve()
      expect(hints).toBe(0)
    })

    test('a partition that does not exist is a bug of the caller', async () => {
      await expect(scene.store.load(7, 'feedEnd', {})).rejects.toThrow('partition')
    })
  })

  describe('close', () => {
    test('a closed store refuses work, and closing twice is fine', async () => {
      const opened = await subject.open()
      await opened.store.close()
      await opened.store.close()
      await expect(opened.store.load(0, 'register', { key: 'k' })).rejects.toMatchObject({
        code: 'store_closed',
      })
      await expect(opened.store.commit(0, [starting(aRun())])).rejects.toMatchObject({ code: 'store_closed' })
      await opened.dispose()
    })

    test('what was committed is there when it is opened again', async (context) => {
      const opened = await subject.open()
      await accept(opened.store, starting(aRun({ name: 'kept' })))
      if (opened.reopen === undefined) {
        await opened.dispose()
        expect(opened.store.info.multiProcess).toBe(false)
        return
      }
      const { id } = opened.store.info
      const again = await opened.reopen()
      context.onTestFinished(() => opened.dispose())
      expect(again.info).toMatchObject({ id, cleanlyClosed: true })
      expect(
        await again.list(0, 'runs', {
          filter: { statuses: null, workflowId: null, includeCore: true },
          page: { after: null, limit: 9 },
        }),
      ).toMatchObject([{ id: 'kept' }])
    })
  })
}
