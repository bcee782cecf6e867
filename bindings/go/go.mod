module libdk

go 1.19
