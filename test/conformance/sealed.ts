/** Where a sealed value was written no other is taken any more, whoever has not heard of it. */

import { describe, expect, test } from 'vitest'
import type { Checkpoint } from '../../src-engine/model/checkpoint.ts'
import type { StoreSubject } from './scene.ts'
import { accept, commit, refuse, theInvocation, theRun, useScene } from './scene.ts'
import { aClaim, anInvocation, aRun, byOperator, byRunner, moving, movingRun, starting } from './story.ts'

const run = aRun()
const [first, second] = [anInvocation(run, 'first'), anInvocation(run, 'second')]
const sealed = (checkpoint: Checkpoint): Checkpoint => ({ ...checkpoint, values: 'sealed' })

export function sealedSuite(subject: StoreSubject): void {
  describe('sealed values', () => {
    const scene = useScene(subject)

    test('after the first of them plain ones are refused, also from who was there before', async () => {
      const begun = starting(run, [first, second])
      await accept(scene.other, begun)
      await accept(scene.store, sealed(moving(first, ['CANCELLED'], { actor: byOperator })))
      const plain = moving(second, ['CANCELLED'], { actor: byOperator })
      for (const store of [scene.store, scene.other]) {
        expect(await refuse(store, plain)).toEqual({ kind: 'unsealed' })
        // What was written before may be told again.
        expect(await commit(store, begun)).toEqual({ kind: 'repeated' })
      }
      expect(await theInvocation(scene.store, second.id)).toEqual(second)
      await accept(scene.other, sealed(plain))
    })

    test('what has no values of anybody is written all the same, and work is claimed', async () => {
      await accept(scene.store, starting(run, [first, second]))
      await accept(scene.store, sealed(moving(first, ['CANCELLED'], { actor: byOperator })))
      const { claimed } = await scene.other.claim(aClaim('a'))
      expect(claimed.map(({ invocation }) => invocation.id)).toEqual([second.id])
      const pending = await theInvocation(scene.other, second.id)
      await accept(scene.other, { ...moving(pending, ['RUNNING'], { actor: byRunner('a') }), values: 'none' })
    })

    test('a partition without sealed values takes plain ones', async () => {
      await accept(scene.store, { ...starting(run, [first]), values: 'none' })
      await accept(scene.other, moving(first, ['CANCELLED'], { actor: byOperator }))
      expect(await theInvocation(scene.store, first.id)).toMatchObject({ status: 'CANCELLED' })
    })

    test('it is remembered', async () => {
      if (scene.opened.reopen === undefined) return
      await accept(scene.store, sealed(starting(run, [first])))
      scene.store = await scene.opened.reopen()
      const paused = movingRun(await theRun(scene.store, run.id), 'PAUSED')
      expect(await refuse(scene.store, paused)).toEqual({ kind: 'unsealed' })
    })
  })
}
