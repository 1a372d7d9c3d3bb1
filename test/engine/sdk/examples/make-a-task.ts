import type {
  TaskDefinition,
  TaskMigrateContext,
  TaskProbeAnswer,
  TaskRequest,
  TaskResponse,
  TaskRunContext,
  TaskUndoContext,
} from '../../../../src-engine/index.ts'
import { defineTask } from '../../../../src-engine/index.ts'

type Order = { readonly amount: number; readonly note: string }
type Receipt = { readonly id: string }

const host = 'echo.sagasmith.internal'

const request = (method: 'POST' | 'DELETE' | 'GET', path: string, key: string): TaskRequest => ({
  url: `http://${host}/charges/${path}`,
  method,
  headers: { authorization: `Bearer ${key}` },
})

async function charge({ parameters, http, idempotencyKey, secrets, log }: TaskRunContext<Order>) {
  const asked = request('POST', '', secrets['SHOP_KEY'] ?? '')
  const answer: TaskResponse = await http({ ...asked, body: { ...parameters, idempotencyKey } })
  if (answer.status >= 400) throw new Error(`The shop answered with ${answer.status}.`)
  log('charged', parameters.amount)
  return { id: idempotencyKey }
}

const refund = async ({ output, http, secrets }: TaskUndoContext<Receipt>) =>
  (await http(request('DELETE', output.id, secrets['SHOP_KEY'] ?? ''))).status

async function charged(context: TaskRunContext<Order>): Promise<TaskProbeAnswer<Receipt>> {
  const { http, idempotencyKey: id, secrets } = context
  const { status } = await http(request('GET', id, secrets['SHOP_KEY'] ?? ''))
  if (status === 404) return { happened: false }
  if (status !== 200) throw new Error(`The shop answered with ${status}.`)
  return { happened: true, output: { id } }
}

/** Until 2.0.0 the note was called `text`. */
function fromBefore({ from, parameters }: TaskMigrateContext) {
  if (from !== '1.0.0') throw new Error(`Nobody knows what ${from} meant.`)
  const { text, ...others } = parameters
  return text === undefined ? others : { ...others, note: text }
}

const task: TaskDefinition<Order, Receipt> = {
  kind: 'acme.charge',
  version: '2.0.0',
  title: 'Charge a card',
  icon: 'stamp',
  parameters: {
    type: 'object',
    required: ['amount'],
    properties: {
      amount: { type: 'number', title: 'Amount', minimum: 1 },
      note: { type: 'string', title: 'Note', default: '' },
    },
  },
  output: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  sideEffect: 'keyed',
  secrets: ['SHOP_KEY'],
  hosts: [host],
  run: charge,
  compensate: refund,
  probe: charged,
  migrate: fromBefore,
  mock: { id: 'ch_1' },
}

export default defineTask(task)
