import { expect, test } from 'vitest'
import { newMachine, openPage } from './fake-designer.ts'

test('what is said again stands there once, as the newest', () => {
  const { designer } = openPage(newMachine())
  const { toast } = designer.view.getState()
  const said = () =>
    designer.view.getState().toasts.map(({ message, hint }) => `${message} ${hint ?? ''}`.trim())
  const fault = { tone: 'bad', message: '“Condition” is missing.', hint: 'Fill it in.' } as const
  toast(fault)
  toast({ tone: 'good', message: 'Saved.', hint: null })
  const [first] = designer.view.getState().toasts
  toast(fault)
  expect(said()).toEqual(['Saved.', '“Condition” is missing. Fill it in.'])
  expect(designer.view.getState().toasts.at(-1)?.id).not.toBe(first?.id)
  toast({ ...fault, hint: 'Fill it in, and “Message”.' })
  expect(said()).toHaveLength(3)
})
