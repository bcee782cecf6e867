// SPDX-License-Identifier: Apache-2.0

package libdk

import (
	"math"
	"testing"
)

func TestClientsHaveThresholdsOfTheirOwn(t *testing.T) {
	scores := []float64{.9, .7, .4, .8, .3, .2, .1, .6, .5, .55, .2, .1, 0}
	genuine := []bool{true, true, true, false, false, false, false, true, true, false, false, false, false}
	clients := []int64{1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2}
	far := []float64{0, 0.25}
	rejected := must(VerificationCurve(background, far, scores, genuine, clients))(t)
	if math.Abs(rejected[0]-7.0/12) > 1e-12 || math.Abs(rejected[1]) > 1e-12 {
		t.Error(rejected)
	}
	common := must(VerificationCurve(background, far, scores, genuine, nil))(t)
	if math.Abs(common[0]-0.8) > 1e-12 {
		t.Error(common)
	}
	_, err := VerificationCurve(background, far, scores, genuine[:3], clients)
	expect(t, InvalidArgument, err)
	_, err = VerificationCurve(background, far, scores, genuine, clients[:3])
	expect(t, InvalidArgument, err)
	_, err = VerificationCurve(background, []float64{2}, scores, genuine, clients)
	expect(t, InvalidArgument, err)
}
