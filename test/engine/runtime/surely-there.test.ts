/** Whoever is told that something is there already is told what a failover takes back no more. */

import { expect, it } from 'vitest'
import { runId } from '../../../src-engine/model/ids.ts'
import { surelyThere } from '../../../src-engine/runtime/surely-there.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'

const id = runId('r')
const isThere = (found: string | null): boolean => found !== null

function scene(found: readonly (string | null)[], confirmed: readonly (() => void)[] = []) {
  const looks = [...found]
  const confirms = [...confirmed]
  const told: string[] = []
  const { info } = createMemoryStore()
  const look = async (): Promise<string | null> => {
    told.push('look')
    return looks.shift() ?? null
  }
  const confirm = async (): Promise<void> => {
    told.push('confirm')
    confirms.shift()?.()
  }
  return { told, info, look, confirm }
}

it('waits until what was found is safe', async () => {
  const { info, confirm, look, told } = scene(['run'])
  expect(await surelyThere({ info, confirm }, id, { look, isThere })).toBe('run')
  expect(told).toEqual(['look', 'confirm'])
})

it('looks again where an epoch began since: it may have been taken back', async () => {
  const epochs = [1]
  const { info, confirm, look, told } = scene(['run', null], [() => epochs.splice(0, 1, 2)])
  expect(await surelyThere({ info: { ...info, epochs }, confirm }, id, { look, isThere })).toBeNull()
  expect(told).toEqual(['look', 'confirm', 'look'])
})

it('asks nothing more where nothing was found, and where all that is read is safe', async () => {
  const empty = scene([null])
  expect(await surelyThere(empty, id, { look: empty.look, isThere })).toBeNull()
  const local = scene(['run'])
  expect(await surelyThere({ info: local.info }, id, { look: local.look, isThere })).toBe('run')
  expect([...empty.told, ...local.told]).toEqual(['look', 'look'])
})

it('throws what can’t be confirmed', async () => {
  const { info, look } = scene(['run'])
  const confirm = () => Promise.reject(new Error('no replica'))
  await expect(surelyThere({ info, confirm }, id, { look, isThere })).rejects.toThrow('no replica')
})
