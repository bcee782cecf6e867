// SPDX-License-Identifier: Apache-2.0

// Package libdk trains kernel machines that explain themselves: support vector machines, core vector machines, Fisher
// discriminants and others, with deep (multilayer arc-cosine) kernels and weighted banks of kernels. Every model
// answers with its kernel weights and with prototypes (Graf, Bousquet, Raetsch, Schoelkopf 2008).
//
//	data, err := libdk.ReadData("sonar.csv", "")
//	model, err := libdk.Train(ctx, data, "svm", libdk.Params{"C": 10, "kernel": []string{"linear", "rbf(gamma=1)"}})
//	labels, err := model.Predict(ctx, data)
//
// Package libdk/reference lists all machines, kernels, ways to weigh a bank, parameters and metrics. Models and data hold
// native memory: close them, or leave it to the collector. Models are safe for concurrent use.
//
// The C library is found by pkg-config.
package libdk
