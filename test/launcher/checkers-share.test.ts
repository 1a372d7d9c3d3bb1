/** Types and lint run beside each other: what each is given of the machine. */
import { expect, test } from 'vitest'
import { checkersShare } from '../../bin/launcher/check.mjs'

test('types and lint have a thread each where there are two cores or one', () => {
  for (const cores of [1, 2, 3]) {
    expect(checkersShare(cores)).toMatchObject({
      env: { GOMAXPROCS: '1' },
      typesArgs: ['-b', '--singleThreaded'],
    })
  }
})

test('they share what a larger machine has', () => {
  expect(checkersShare(9)).toMatchObject({ env: { GOMAXPROCS: '4' }, typesArgs: ['-b'] })
})
