/** What a call costs, by the prices that the step is told. */

import { SagasmithError } from '../../model/errors.ts'
import type { ModelAnswer } from './answer-stream.ts'
import type { AskModelParameters } from './spec.ts'

const million = 1_000_000
/** Characters per token where nobody has counted: few, so that a guess is rather too high. */
const tokenLength = 3

const tokensOf = (text: string): number => Math.ceil(text.length / tokenLength)

type Prices = Pick<AskModelParameters, 'inputPrice' | 'outputPrice'>

const priceOf = ({ inputPrice, outputPrice }: Prices, input: number, output: number): number =>
  (input * inputPrice + output * outputPrice) / million

/** Throws `cost_limit` when the longest answer to this would cost more than allowed. */
export function refuseCost(parameters: AskModelParameters, asked: string): void {
  const { maxCost, maxTokens } = parameters
  if (maxCost === 0) return
  const cost = priceOf(parameters, tokensOf(asked), maxTokens)
  if (cost <= maxCost) return
  throw new SagasmithError('cost_limit', {
    message: `The call could cost ${cost.toFixed(4)}; this step may spend ${maxCost}.`,
    details: { cost, maxCost, maxTokens },
  })
}

/** What it did cost; by a guess where the service doesn't count. */
export function costOf(parameters: AskModelParameters, answer: ModelAnswer, asked: string): number {
  const { inputTokens, outputTokens, text, calls } = answer
  const said = calls.reduce((all, call) => all + call.name + call.text, text)
  return priceOf(parameters, inputTokens ?? tokensOf(asked), outputTokens ?? tokensOf(said))
}
