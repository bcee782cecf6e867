library(testthat)
library(libdk)
test_check("libdk")
